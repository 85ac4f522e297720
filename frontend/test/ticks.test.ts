import { describe, expect, it } from 'vitest';
import { byteTicks, countTicks } from '../src/base/ticks';
import { randomFrom } from './random';

const GIB = 2 ** 30;

describe('ticks', () => {
  it('are multiples of powers of two for bytes', () => {
    expect(byteTicks(0, 63.6 * GIB, 5)).toEqual([0, 16 * GIB, 32 * GIB, 48 * GIB]);
    expect(byteTicks(49 * GIB, 52 * GIB, 4)).toEqual([49 * GIB, 50 * GIB, 51 * GIB, 52 * GIB]);
  });

  it('are round decimal numbers for events', () => {
    expect(countTicks(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(countTicks(12_340, 18_900, 4)).toEqual([14_000, 16_000, 18_000]);
  });

  it('are at least one event apart', () => {
    expect(countTicks(7, 10, 40)).toEqual([7, 8, 9, 10]);
  });

  it('are empty for an empty axis', () => {
    expect(byteTicks(5, 5, 4)).toEqual([]);
    expect(countTicks(5, 4, 4)).toEqual([]);
  });

  it('are at most one more than the given count, and within the ends', () => {
    const random = randomFrom(11);
    for (let round = 0; round < 500; round++) {
      const low = random() * 2 ** (random() * 40);
      const high = low + 1 + random() * 2 ** (random() * 40);
      const count = 1 + Math.floor(random() * 12);
      for (const ticks of [byteTicks(low, high, count), countTicks(low, high, count)]) {
        const failure = `seed 11, round ${round}: ${low} to ${high} in ${count}`;
        expect(ticks.length, failure).toBeLessThanOrEqual(count + 1);
        for (const tick of ticks) expect(tick >= low && tick <= high, failure).toBe(true);
      }
    }
  });
});
