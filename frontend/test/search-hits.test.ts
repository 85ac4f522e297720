import { intAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { decodeSearchHits, FADED, faded, isHit } from '../src/model/search-hits';
import { encodeColumns } from './encode';
import { randomFrom } from './random';

describe('the hits of a search', () => {
  it('are the stacks whose bits are set', () => {
    const random = randomFrom(11);
    const expected = Array.from({ length: 1000 }, () => random() < 0.3);
    const stacks = new Int32Array(32);
    expected.forEach((hit, stack) => {
      if (hit) stacks[stack >> 5] = intAt(stacks, stack >> 5) | (1 << (stack % 32));
    });
    const hits = { frameCount: 1, allocationCount: 1, peakBytes: 0, endBytes: 0, eventBytes: NaN, stacks };
    for (const [stack, hit] of expected.entries()) expect(isHit(hits, stack), String(stack)).toBe(hit);
    for (const stack of [-1, FADED, 1024, 2 ** 30]) expect(isHit(hits, stack)).toBe(false);
  });

  it('keep their stacks, and all others fade', () => {
    const chart = { bytes: 7, stack: Int32Array.of(3, -1, 4, 3) };
    const hits = {
      frameCount: 1,
      allocationCount: 2,
      peakBytes: 0,
      endBytes: 0,
      eventBytes: NaN,
      stacks: Int32Array.of(1 << 3),
    };
    expect(faded(chart, hits)).toEqual({ bytes: 7, stack: Int32Array.of(3, FADED, FADED, 3) });
    expect(chart.stack).toEqual(Int32Array.of(3, -1, 4, 3));
    expect(faded(chart, null)).toBe(chart);
  });

  it('are decoded', () => {
    const header = { frameCount: 2, allocationCount: 5, peakBytes: 100, endBytes: 9, eventBytes: null };
    const hits = decodeSearchHits(encodeColumns(header, { stacks: Int32Array.of(5) }));
    expect(hits.allocationCount).toBe(5);
    expect(Number.isNaN(hits.eventBytes)).toBe(true);
    expect(isHit(hits, 2)).toBe(true);
  });
});
