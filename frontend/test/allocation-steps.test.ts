import { itemAt, valueAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { drawnAllocations, stackedAllocation, steppedAllocation } from '../src/model/allocation-steps';
import { decodeTimeline } from '../src/model/timeline';
import { encodeTimeline, syntheticTrace } from './synthetic-timeline';

const trace = syntheticTrace(5, 6, 8);
const whole = { from: 0, to: trace.eventCount };
const timeline = decodeTimeline(encodeTimeline(trace, 0, trace.eventCount, 400, 300));

describe('the arrow keys on a timeline', () => {
  it('visit every drawn allocation once, in order of allocation', () => {
    const drawn = drawnAllocations(timeline, whole);
    expect(new Set(drawn)).toEqual(new Set(timeline.allocation));
    const visited: number[] = [];
    for (let row = steppedAllocation(timeline, whole, null, 1); row !== visited.at(-1) && row !== null;) {
      visited.push(row);
      row = steppedAllocation(timeline, whole, row, 1);
    }
    expect(visited).toEqual(drawn);
    expect(steppedAllocation(timeline, whole, null, -1)).toBe(drawn.at(-1));
    expect(steppedAllocation(timeline, whole, valueAt(drawn, 5), -1)).toBe(drawn[4]);
    expect(steppedAllocation(timeline, whole, valueAt(drawn, 0), -1)).toBe(drawn[0]);
  });

  it('visit only allocations in the visible range', () => {
    const range = { from: 200, to: 260 };
    const drawn = drawnAllocations(timeline, range);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.length).toBeLessThan(drawnAllocations(timeline, whole).length);
    // A column may begin a few events before the range.
    for (const row of drawn) {
      expect(itemAt(trace.lifetimes, row).allocated).toBeLessThan(range.to);
      expect(itemAt(trace.lifetimes, row).freed).toBeGreaterThan(range.from - trace.eventCount / 400 - 1);
    }
    expect(steppedAllocation(timeline, range, 1_000_000, 1)).toBe(1_000_000);
    expect(steppedAllocation(timeline, range, 1_000_000, -1)).toBe(drawn.at(-1));
  });

  it('move up and down in the stack', () => {
    const lowest = stackedAllocation(timeline, whole, null, 1);
    const bottomOf = (row: number | null) =>
      Math.min(...[...timeline.bottom].filter((_, i) => timeline.allocation[i] === row));
    expect(bottomOf(lowest)).toBe(0);
    const second = stackedAllocation(timeline, whole, lowest, 1);
    expect(bottomOf(second)).toBeGreaterThan(0);
    expect(stackedAllocation(timeline, whole, second, -1)).toBe(lowest);
    expect(stackedAllocation(timeline, whole, lowest, -1)).toBe(lowest);
  });

  it('do nothing on an empty timeline', () => {
    expect(steppedAllocation(timeline, { from: -5, to: -1 }, null, 1)).toBeNull();
    expect(stackedAllocation(timeline, { from: -5, to: -1 }, null, 1)).toBeNull();
  });
});
