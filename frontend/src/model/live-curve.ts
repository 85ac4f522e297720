import { bytesOf, type RawFrame } from './live-frame';

/** How much of the past the curves show. */
export const CURVE_MILLIS = 60_000;

/** About what a pixel or two stand for. */
const LEAST_MILLIS = 150;

/** The extremes between a point and the one before. */
export interface CurvePoint {
  readonly millis: number;
  /** Nobody looked since the point before: nothing is known between them. */
  readonly afterGap: boolean;
  readonly leastAllocated: number;
  readonly mostAllocated: number;
  readonly mostActive: number;
  readonly mostReserved: number;
}

/** The points of the last minute, oldest first. */
export class LiveCurve {
  readonly points: CurvePoint[] = [];

  follow(frame: RawFrame): void {
    if (frame.from === 0) this.points.length = 0;
    for (const [millis, leastAllocated, mostAllocated, mostActive, mostReserved, gap] of frame.points) {
      this.add({
        millis: bytesOf(millis),
        afterGap: gap === 1,
        leastAllocated: bytesOf(leastAllocated),
        mostAllocated: bytesOf(mostAllocated),
        mostActive: bytesOf(mostActive),
        mostReserved: bytesOf(mostReserved),
      });
    }
    // One point stays on the far side, so that the lines begin at the edge.
    let out = 0;
    while (out + 1 < this.points.length && this.points[out + 1].millis < frame.now - CURVE_MILLIS) out++;
    if (out > 0) this.points.splice(0, out);
  }

  /** Points nearer to each other than a pixel or two become one, with the extremes of both. */
  private add(point: CurvePoint): void {
    const [before, last] = [this.points.at(-2), this.points.at(-1)];
    const far = before === undefined || last === undefined || point.millis - before.millis > LEAST_MILLIS;
    if (far || point.afterGap || last.afterGap) {
      this.points.push(point);
      return;
    }
    this.points[this.points.length - 1] = {
      millis: point.millis,
      afterGap: false,
      leastAllocated: Math.min(last.leastAllocated, point.leastAllocated),
      mostAllocated: Math.max(last.mostAllocated, point.mostAllocated),
      mostActive: Math.max(last.mostActive, point.mostActive),
      mostReserved: Math.max(last.mostReserved, point.mostReserved),
    };
  }

  /** The highest point; 0 when there is none. */
  peak(): number {
    let most = 0;
    for (const point of this.points) most = Math.max(most, point.mostReserved, point.mostActive);
    return most;
  }
}

/** Points with nothing unknown between them, and until when the last one holds. */
export interface Stretch {
  readonly points: readonly CurvePoint[];
  readonly to: number;
}

/** The curve cut where nobody looked; the last stretch holds until `now`. */
export function stretchesOf(points: readonly CurvePoint[], now: number): Stretch[] {
  const stretches: Stretch[] = [];
  let first = 0;
  for (let i = 1; i <= points.length; i++) {
    if (i < points.length && !points[i].afterGap) continue;
    const part = points.slice(first, i);
    stretches.push({ points: part, to: i < points.length ? points[i - 1].millis : now });
    first = i;
  }
  return points.length === 0 ? [] : stretches;
}

/** The times between the stretches. */
export function gapsOf(points: readonly CurvePoint[]): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  for (let i = 1; i < points.length; i++) {
    if (points[i].afterGap) gaps.push({ from: points[i - 1].millis, to: points[i].millis });
  }
  return gaps;
}
