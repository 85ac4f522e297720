import { describe, expect, it } from 'vitest';
import { gapsOf, LiveCurve, sectionsOf } from '../src/model/live/live-curve';
import { frameOf } from './live-frames';

describe('the curve of a live allocator', () => {
  it('is split at gaps, even between points that are close together', () => {
    const curve = new LiveCurve();
    const points = [
      [1000, 10, 20, 20, 40, 1],
      [1030, 15, 15, 15, 40, 0],
      [1060, 12, 12, 12, 40, 0],
      [1090, 90, 90, 90, 99, 1],
      [1120, 80, 90, 90, 99, 0],
    ];
    curve.apply(frameOf({ v: 9, from: 0, now: 1200, points }));
    const sections = sectionsOf(curve.points, 1200);
    expect(sections.map((section) => section.to)).toEqual([1060, 1200]);
    const [before = [], after = []] = sections.map((section) => section.points);
    expect(Math.max(...before.map((point) => point.maxAllocated))).toBe(20);
    expect(after.map((point) => point.minAllocated)).toEqual([90, 80]);
    expect(gapsOf(curve.points)).toEqual([{ from: 1060, to: 1090 }]);
  });

  it('has no sections without points', () => {
    expect(sectionsOf([], 5)).toEqual([]);
  });
});
