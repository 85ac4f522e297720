import { bytesOf, type RawFrame } from './live-frame';

/** How much of the past the curves show. */
export const CURVE_MILLIS = 120_000;

/** The extremes between a point and the one before. */
export interface CurvePoint {
  readonly millis: number;
  readonly leastAllocated: number;
  readonly mostAllocated: number;
  readonly mostActive: number;
  readonly mostReserved: number;
}

/** The points of the last two minutes, oldest first. */
export class LiveCurve {
  readonly points: CurvePoint[] = [];

  follow(frame: RawFrame): void {
    if (frame.from === 0) this.points.length = 0;
    for (const [millis, leastAllocated, mostAllocated, mostActive, mostReserved] of frame.points) {
      this.points.push({
        millis: bytesOf(millis),
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

  /** The highest point; 0 when there is none. */
  peak(): number {
    let most = 0;
    for (const point of this.points) most = Math.max(most, point.mostReserved, point.mostActive);
    return most;
  }
}
