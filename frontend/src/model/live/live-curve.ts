import { bytesOf, type RawFrame } from './live-frame';

/** Length of the history that the curves show. */
export const CURVE_MILLIS = 60_000;

/** About one or two pixels. */
const MIN_SPACING_MILLIS = 150;

/** Extremes between the previous point and this one, in bytes. */
export interface CurvePoint {
  readonly millis: number;
  /** No viewer was connected since the previous point, so nothing is known in between. */
  readonly afterGap: boolean;
  readonly minAllocated: number;
  readonly maxAllocated: number;
  readonly maxActive: number;
  readonly maxReserved: number;
}

/** The points of the last minute, oldest first. */
export class LiveCurve {
  readonly points: CurvePoint[] = [];

  apply(frame: RawFrame): void {
    if (frame.from === 0) this.points.length = 0;
    for (const [millis, minAllocated, maxAllocated, maxActive, maxReserved, gap] of frame.points) {
      this.add({
        millis: bytesOf(millis),
        afterGap: gap === 1,
        minAllocated: bytesOf(minAllocated),
        maxAllocated: bytesOf(maxAllocated),
        maxActive: bytesOf(maxActive),
        maxReserved: bytesOf(maxReserved),
      });
    }
    // Keep one point before the visible minute, so that the lines start at the left edge.
    let outdated = 0;
    while ((this.points[outdated + 1]?.millis ?? Infinity) < frame.now - CURVE_MILLIS) outdated++;
    if (outdated > 0) this.points.splice(0, outdated);
  }

  /** Merges points that are closer than a pixel or two; the merged point has the extremes of both. */
  private add(point: CurvePoint): void {
    const [before, last] = [this.points.at(-2), this.points.at(-1)];
    const far = before === undefined || last === undefined || point.millis - before.millis > MIN_SPACING_MILLIS;
    if (far || point.afterGap || last.afterGap) {
      this.points.push(point);
      return;
    }
    this.points[this.points.length - 1] = {
      millis: point.millis,
      afterGap: false,
      minAllocated: Math.min(last.minAllocated, point.minAllocated),
      maxAllocated: Math.max(last.maxAllocated, point.maxAllocated),
      maxActive: Math.max(last.maxActive, point.maxActive),
      maxReserved: Math.max(last.maxReserved, point.maxReserved),
    };
  }
}

/** The highest value of the curves in bytes; 0 if there are none. */
export function peakOf(points: readonly CurvePoint[]): number {
  let peak = 0;
  for (const point of points) peak = Math.max(peak, point.maxReserved, point.maxActive);
  return peak;
}

/** Points without a gap between them. The value of the last point is valid until `to`. */
export interface CurveSection {
  readonly points: readonly CurvePoint[];
  readonly to: number;
}

/** Splits the points at gaps; the last section extends to `now`. */
export function sectionsOf(points: readonly CurvePoint[], now: number): CurveSection[] {
  const sections: CurveSection[] = [];
  let first = 0;
  for (const { from, next } of gapsBetween(points)) {
    sections.push({ points: points.slice(first, next), to: from });
    first = next;
  }
  if (points.length > 0) sections.push({ points: points.slice(first), to: now });
  return sections;
}

/** The gaps between the sections. */
export function gapsOf(points: readonly CurvePoint[]): { from: number; to: number }[] {
  return gapsBetween(points).map(({ from, to }) => ({ from, to }));
}

/** The gaps, each with the index of the first point after it. */
function gapsBetween(points: readonly CurvePoint[]): { from: number; to: number; next: number }[] {
  const gaps: { from: number; to: number; next: number }[] = [];
  let before: CurvePoint | null = null;
  for (const [next, point] of points.entries()) {
    if (before !== null && point.afterGap) gaps.push({ from: before.millis, to: point.millis, next });
    before = point;
  }
  return gaps;
}
