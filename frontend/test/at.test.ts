import { describe, expect, it } from 'vitest';
import { byteAt, intAt, itemAt, numberAt, valueAt, wordAt } from '../src/base/at';

describe('a value at an index', () => {
  it('is that of the column', () => {
    expect(intAt(Int32Array.of(3, -1), 1)).toBe(-1);
    expect(numberAt(Float64Array.of(0.5), 0)).toBe(0.5);
    expect(byteAt(Uint8Array.of(0), 0)).toBe(0);
    expect(wordAt(BigUint64Array.of(2n ** 63n), 0)).toBe(2n ** 63n);
    expect(valueAt([7], 0)).toBe(7);
  });

  it('is unknown outside of the column', () => {
    expect(intAt(Int32Array.of(3), 1)).toBeNaN();
    expect(numberAt(Float64Array.of(3), -1)).toBeNaN();
    expect(byteAt(Uint8Array.of(3), NaN)).toBeNaN();
    expect(valueAt([], 0)).toBeNaN();
    expect(wordAt(BigUint64Array.of(3n), 1)).toBe(0n);
  });

  it('is an item of a list, or an error that names the index', () => {
    expect(itemAt(['a', 'b'], 1)).toBe('b');
    expect(() => itemAt(['a', 'b'], 2)).toThrow('no item 2 in a list of 2');
  });
});
