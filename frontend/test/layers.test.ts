import { itemAt } from '../src/base/at';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The layers that each layer may import. */
const MAY_IMPORT: Record<string, string[]> = {
  base: ['base'],
  model: ['base', 'model'],
  render: ['base', 'model', 'render'],
  pages: ['base', 'model', 'render', 'pages', 'styles'],
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
      const target = path.startsWith('./') ? layer : itemAt(path.split('/'), 1);
      expect(MAY_IMPORT[layer]).toContain(target);
    }
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
