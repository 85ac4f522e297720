import { itemAt } from '../src/base/at';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The layers that each layer may import. */
const MAY_IMPORT: Record<string, string[]> = {
  base: ['base'],
  model: ['base', 'model'],
  render: ['base', 'model', 'render'],
  pages: ['base', 'model', 'render', 'pages', 'styles'],
};

/** The folders of pages that several features use, in layers of their own; a feature also imports from its own folder. */
const SHARED: Record<string, string[]> = {
  display: ['display'],
  request: ['display', 'request'],
  snapshot: ['display', 'request', 'snapshot'],
};

/** Identifiers that a layer must not use. */
const FORBIDDEN: Record<string, RegExp> = {
  base: /\b(document|window|HTMLElement|fetch|XMLHttpRequest|CanvasRenderingContext2D)\b/,
  model: /\b(document|window|HTMLElement|fetch|XMLHttpRequest|CanvasRenderingContext2D)\b/,
  render: /\b(fetch|XMLHttpRequest|addEventListener|location|history)\b/,
};

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
}

describe('the layers', () => {
  it.each(files)('%s is in a known layer', (name) => {
    expect(Object.keys(MAY_IMPORT)).toContain(name.split('/')[0]);
  });

  it.each(files)('%s imports only permitted layers', (name) => {
    const layer = name.split('/')[0] as string;
    const source = withoutComments(readFileSync(join(root, name), 'utf8'));
    for (const [, from, bare] of source.matchAll(
      /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|\bimport\b ?\(?'([^']+)'/gm,
    )) {
      const path = from ?? bare ?? '';
      expect(path, 'no runtime dependencies').toMatch(/^\.\.?\//);
      const target = normalize(join(dirname(name), path)).split('/')[0];
      expect(MAY_IMPORT[layer]).toContain(target);
    }
  });

  it('have folders in which a reader finds a file', () => {
    const counts = new Map<string, number>();
    for (const name of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
    for (const [folder, count] of counts) expect(count, folder).toBeLessThanOrEqual(40);
  });

  it('have imports that this test finds', () => {
    const everything = files.map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
    expect(everything.match(/^import\b/gm)?.length).toBeGreaterThan(50);
  });

  it.each(files.filter((name) => FORBIDDEN[itemAt(name.split('/'), 0)]))('%s uses no forbidden identifiers', (name) => {
    const source = withoutComments(readFileSync(join(root, name), 'utf8'));
    expect(source.match(FORBIDDEN[itemAt(name.split('/'), 0)] as RegExp)?.[0]).toBeUndefined();
  });

  it.each(files)('%s has at most 300 lines', (name) => {
    expect(readFileSync(join(root, name), 'utf8').split('\n').length).toBeLessThanOrEqual(300);
  });
});

describe('the folders of pages', () => {
  const pages = files.filter((name) => name.startsWith('pages/') && name !== 'pages/app.ts');
  const folders = [...new Set(pages.map((name) => name.split('/').slice(0, -1).join('/')))];

  it('are those of features, below pages', () => {
    expect(folders.filter((folder) => folder.split('/').length !== 2)).toEqual([]);
    expect(folders).toEqual(expect.arrayContaining(Object.keys(SHARED).map((name) => `pages/${name}`)));
  });

  it.each(folders)('%s has 5 to 30 files', (folder) => {
    const count = pages.filter((name) => name.startsWith(`${folder}/`)).length;
    expect(count).toBeGreaterThanOrEqual(5);
    expect(count).toBeLessThanOrEqual(30);
  });

  it.each(pages)('%s imports from no other feature', (name) => {
    const folder = itemAt(name.split('/'), 1);
    const source = withoutComments(readFileSync(join(root, name), 'utf8'));
    const imported = [...source.matchAll(/'\.\.\/([a-z]+)\/[^']*'/g)].map(([, target]) => target);
    const permitted = SHARED[folder] ?? [folder, ...Object.keys(SHARED)];
    expect(imported.filter((target) => target === undefined || !permitted.includes(target))).toEqual([]);
  });
});
