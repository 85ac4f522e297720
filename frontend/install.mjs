// Runs `npm ci` unless node_modules was installed from the current package-lock.json.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const installedFrom = 'node_modules/.installed-from';
const lockHash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

if (!existsSync(installedFrom) || readFileSync(installedFrom, 'utf8') !== lockHash) {
  execSync('npm ci --no-audit --no-fund --prefer-offline', { stdio: 'inherit' });
  writeFileSync(installedFrom, lockHash);
}
