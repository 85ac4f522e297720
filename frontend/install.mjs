// Runs `npm ci` unless node_modules was already installed from this very package-lock.json.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const stamp = 'node_modules/.installed-from';
const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  execSync('npm ci --no-audit --no-fund --prefer-offline', { stdio: 'inherit' });
  writeFileSync(stamp, lock);
}
