import { intAt, numberAt, wordAt } from '../base/at';
import { columnOfEvent } from './timeline';
import type { SegmentTimeline } from './segment-timeline';

/** The bytes of a lane at one column. */
export interface LaneState {
  readonly reserved: number;
  readonly active: number;
  readonly largestFree: number;
}

/** What is at a point of the chart. */
export interface LanePoint {
  readonly lane: number;
  /** In bytes from the start of the lane. */
  readonly offset: number;
  readonly column: number;
  /** Index of the block that is drawn there, or -1. */
  readonly block: number;
}

/** The point at `event`, `share` of the height below the top; null outside the lanes. */
export function lanePointAt(timeline: SegmentTimeline, event: number, share: number): LanePoint | null {
  const column = columnOfEvent(timeline, event);
  const y = share * timeline.height;
  const { laneTop, laneHeight, laneBytes } = timeline;
  for (let lane = 0; column >= 0 && lane < laneTop.length; lane++) {
    if (y < numberAt(laneTop, lane) || y >= numberAt(laneTop, lane) + numberAt(laneHeight, lane)) continue;
    const offset = ((y - numberAt(laneTop, lane)) / numberAt(laneHeight, lane)) * numberAt(laneBytes, lane);
    return { lane, offset, column, block: blockAt(timeline, lane, offset, column) };
  }
  return null;
}

function blockAt(timeline: SegmentTimeline, lane: number, at: number, column: number): number {
  const { column0, column1, offset, bytes } = timeline;
  for (let i = 0; i < column0.length; i++) {
    if (timeline.lane[i] !== lane || column < intAt(column0, i) || column >= intAt(column1, i)) continue;
    if (at >= numberAt(offset, i) && at < numberAt(offset, i) + numberAt(bytes, i)) return i;
  }
  return -1;
}

/** The bytes of `lane` at `column`. */
export function laneStateAt(timeline: SegmentTimeline, lane: number, column: number): LaneState {
  const { runLane, runColumn } = timeline;
  let found = -1;
  for (let i = 0; i < runLane.length && intAt(runColumn, i) <= column; i++) if (runLane[i] === lane) found = i;
  if (found < 0) return { reserved: 0, active: 0, largestFree: 0 };
  return {
    reserved: numberAt(timeline.runReserved, found),
    active: numberAt(timeline.runActive, found),
    largestFree: numberAt(timeline.runLargestFree, found),
  };
}

/** The address at an offset of a lane, which may consist of several ranges of addresses. */
export function addressAt(timeline: SegmentTimeline, lane: number, offset: number): bigint {
  let before = 0;
  const { partLane, partBytes, partAddress } = timeline;
  for (let part = partLane.indexOf(lane); part >= 0 && partLane[part] === lane; part++) {
    if (offset < before + numberAt(partBytes, part))
      return wordAt(partAddress, part) + BigInt(Math.max(0, Math.floor(offset - before)));
    before += numberAt(partBytes, part);
  }
  return wordAt(timeline.laneAddress, lane);
}
