import { describe, expect, it } from 'vitest';
import { commonSequence } from '../src/base/common-sequence';
import { randomFrom } from './random';

/** The length of a longest common sequence, by trying everything. */
function longest(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined || other.length === 0) return 0;
  const at = other.indexOf(first);
  const without = longest(rest, other);
  return at < 0 ? without : Math.max(without, 1 + longest(rest, other.slice(at + 1)));
}

describe('commonSequence', () => {
  it('finds what was inserted, removed and kept', () => {
    expect(commonSequence(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual([0, 1, 2]);
    expect(commonSequence(['a', 'b'], ['n', 'a', 'b'])).toEqual([-1, 0, 1]);
    expect(commonSequence(['a', 'b', 'c'], ['a', 'c'])).toEqual([0, 2]);
    expect(commonSequence(['a'], [])).toEqual([]);
    expect(commonSequence([], ['a'])).toEqual([-1]);
    expect(commonSequence(['a', 'a'], ['a'])).toEqual([0]);
  });

  it('is a longest common sequence of random lists', () => {
    const random = randomFrom(7);
    const list = () => Array.from({ length: Math.floor(random() * 8) }, () => 'abcd'.charAt(random() * 4));
    for (let round = 0; round < 2000; round++) {
      const [one, other] = [list(), list()];
      const found = commonSequence(one, other);
      const kept = found.filter((index) => index >= 0);
      expect(found).toHaveLength(other.length);
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      for (const [at, index] of found.entries()) if (index >= 0) expect(one[index]).toBe(other[at]);
      expect(kept.length, `${one} and ${other}`).toBe(longest(one, other));
    }
  });
});
