import { intAt, numberAt, valueAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { byteRangeOf } from '../src/model/byte-range';
import { hitAt, rectanglesOf } from '../src/model/hit-testing';
import { columnOfEvent, decodeTimeline, eventOfColumn, microsAt } from '../src/model/timeline';
import { encodeColumns } from './encode';
import { randomFrom } from './random';
import { encodeTimeline, syntheticTrace } from './synthetic-timeline';

const trace = syntheticTrace(5, 6, 8);
const whole = decodeTimeline(encodeTimeline(trace, 0, trace.eventCount, 400, 300));

describe('a decoded timeline', () => {
  it('stacks up to the active bytes in every column', () => {
    const sums = Float64Array.from(whole.rest);
    for (let i = 0; i < whole.allocation.length; i++) {
      for (let c = intAt(whole.column0, i); c < intAt(whole.column1, i); c++)
        sums[c] = numberAt(sums, c) + numberAt(whole.bytes, i);
    }
    expect([...sums]).toEqual([...whole.activeMax]);
  });

  it('contains the peak', () => {
    expect(Math.max(...whole.activeMax)).toBe(whole.peakBytes);
  });

  it('maps every sampled event to its column', () => {
    for (let c = 0; c < whole.width; c++) expect(columnOfEvent(whole, intAt(whole.event, c))).toBe(c);
    expect(columnOfEvent(whole, -1)).toBe(-1);
    expect(columnOfEvent(whole, whole.to)).toBe(-1);
    expect(eventOfColumn(whole, whole.width)).toBe(whole.to);
  });

  it('interpolates times between its samples', () => {
    expect(microsAt(whole, 0)).toBe(0);
    expect(microsAt(whole, 1000)).toBeCloseTo(1000 * 37);
    expect(microsAt(whole, whole.to)).toBe(whole.micros[whole.width - 1]);
  });

  it('is rejected if its columns are inconsistent', () => {
    const header = { eventCount: 9, from: 0, to: 9, width: 1, peakBytes: 1, peakEvent: 0, windowPeakBytes: 1 };
    const more = {
      firstTimeMicros: null,
      ooms: [],
      allocationCount: 1,
      drawnCount: 1,
      summarizedCount: 0,
      reservedKnown: false,
    };
    const one = Float64Array.of(1);
    const pixel = {
      event: Int32Array.of(0),
      activeMax: one,
      activeMin: one,
      reserved: one,
      micros: one,
      rest: one,
      liveBefore: one,
    };
    const box = (from: number, to: number) => ({
      column0: Int32Array.of(from),
      column1: Int32Array.of(to),
      bottom: one,
      bytes: one,
      allocation: Int32Array.of(0),
      stack: Int32Array.of(0),
    });
    const decode = (changes: object, columns: object) =>
      decodeTimeline(encodeColumns({ ...header, ...more, ...changes }, { ...pixel, ...columns }));
    expect(decode({}, box(0, 1)).width).toBe(1);
    expect(() => decode({}, box(0, 2))).toThrow('Rectangle 0 covers columns 0 to 2 of 1.');
    expect(() => decode({}, box(0, 0))).toThrow(/covers columns/);
    expect(() => decode({ width: 2 }, box(0, 1))).toThrow('Column event has 1 entries instead of 2.');
    expect(() => decode({ to: -1 }, box(0, 1))).toThrow(/Events 0 to -1/);
    expect(() => decode({ ooms: [{}] }, box(0, 1))).toThrow(/OOM entry without an event/);
    expect(() => decode({}, { ...box(0, 1), bytes: Float64Array.of() })).toThrow(/Column bytes/);
  });
});

describe('a point of the stack', () => {
  it('hits the rectangle that is drawn there', () => {
    const random = randomFrom(31);
    for (let round = 0; round < 300; round++) {
      const i = Math.floor(random() * whole.allocation.length);
      const c = intAt(whole.column0, i) + Math.floor(random() * (intAt(whole.column1, i) - intAt(whole.column0, i)));
      const level = numberAt(whole.bottom, i) + random() * numberAt(whole.bytes, i) * 0.999;
      const hit = hitAt(whole, eventOfColumn(whole, c) + 1e-6, level);
      expect(hit, `seed 31, round ${round}`).toMatchObject({ kind: 'allocation', rectangle: i, column: c });
    }
  });

  it('distinguishes allocations, the band of small ones, and cached memory', () => {
    const c = whole.rest.findIndex((bytes) => bytes > 0);
    const event = intAt(whole.event, c);
    expect(hitAt(whole, event, numberAt(whole.activeMax, c) - 1)).toMatchObject({ kind: 'rest', bytes: whole.rest[c] });
    expect(hitAt(whole, event, numberAt(whole.activeMax, c))).toMatchObject({ kind: 'inactive' });
    expect(hitAt(whole, event, numberAt(whole.reserved, c))).toEqual({ kind: 'none' });
    expect(hitAt(whole, event, -1)).toEqual({ kind: 'none' });
    expect(hitAt(whole, whole.to, 0)).toEqual({ kind: 'none' });
  });

  it('belongs to an allocation whose rectangles are contiguous in time', () => {
    for (const allocation of new Set(whole.allocation)) {
      const rectangles = rectanglesOf(whole, allocation);
      for (let i = 1; i < rectangles.length; i++) {
        expect(whole.column0[valueAt(rectangles, i)]).toBe(whole.column1[valueAt(rectangles, i - 1)]);
        expect(whole.bottom[valueAt(rectangles, i)]).toBeLessThan(numberAt(whole.bottom, valueAt(rectangles, i - 1)));
      }
    }
  });
});

describe('the byte axis', () => {
  const all = { from: 0, to: trace.eventCount };

  it('starts at zero and includes the reserved line', () => {
    const { low, high } = byteRangeOf(whole, whole, all, 'full');
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(Math.max(...whole.reserved));
  });

  it('includes only the values in the range when fitted', () => {
    const range = { from: Math.floor(trace.eventCount / 2), to: Math.floor(trace.eventCount / 2) + 200 };
    const detail = decodeTimeline(encodeTimeline(trace, range.from, range.to, 400, 300));
    const { low, high } = byteRangeOf(whole, detail, range, 'fit');
    const inside = trace.active.slice(range.from, range.to);
    expect(low).toBeLessThanOrEqual(Math.min(...inside));
    expect(high).toBeGreaterThanOrEqual(Math.max(...inside));
    expect(high - low).toBeLessThan((Math.max(...inside) - Math.min(...inside)) * 1.5);
  });
});
