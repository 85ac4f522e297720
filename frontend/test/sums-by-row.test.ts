import { describe, expect, it } from 'vitest';
import { SumsByRow } from '../src/model/sums-by-row';

describe('SumsByRow', () => {
  it('adds up as a Map does, also when it is used again', () => {
    const sums = new SumsByRow();
    for (const [count, step] of [
      [50_000, 1],
      [3_000, 65_536],
      [10, 7],
    ] as const) {
      const expected = new Map<number, number>();
      sums.reset(count);
      for (let i = 0; i < 3 * count; i++) {
        const row = (((i * 7919) % count) * step) % 2_000_000_000;
        expected.set(row, (expected.get(row) ?? 0) + (i % 100));
        sums.add(row, i % 100);
      }
      for (const [row, sum] of expected)
        if (sums.of(row) !== sum) expect.fail(`row ${row}: ${sums.of(row)}, not ${sum}`);
      expect(sums.of(1_999_999_999)).toBe(0);
    }
  });
});
