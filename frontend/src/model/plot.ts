import { type EventRange, sizeOf } from './event-range';
import type { TimeScale } from './time-scale';

/** A rectangle of the canvas, in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maps events (or milliseconds) and bytes to the canvas: `low` bytes are at the bottom of `area`, `high` at its top. */
export interface Plot {
  readonly area: Area;
  readonly range: EventRange;
  readonly low: number;
  readonly high: number;
  /** Places events by their times; null or none: at equal distances. */
  readonly scale?: TimeScale | null;
}

export function xOf(plot: Plot, event: number): number {
  const { area, range, scale } = plot;
  return area.left + (scale ? scale.shareOf(event, range) : (event - range.from) / sizeOf(range)) * area.width;
}

export function yOf(plot: Plot, bytes: number): number {
  return plot.area.top + (1 - (bytes - plot.low) / (plot.high - plot.low)) * plot.area.height;
}

export function eventAt(plot: Plot, x: number): number {
  const { area, range, scale } = plot;
  const share = shareAt(area, x);
  return scale ? scale.eventAtShare(share, range) : range.from + share * sizeOf(range);
}

export function bytesAt(plot: Plot, y: number): number {
  return plot.high - ((y - plot.area.top) / plot.area.height) * (plot.high - plot.low);
}

/** Horizontal position in the area: 0 at its left edge, 1 at its right edge. */
export function shareAt(area: Area, x: number): number {
  return (x - area.left) / area.width;
}

export function contains(area: Area, x: number, y: number): boolean {
  return x >= area.left && x < area.left + area.width && y >= area.top && y < area.top + area.height;
}

/** The event under the pointer, or null if the pointer is not in the plot. */
export function eventUnder(plot: Plot | null, pointer: { x: number; y: number } | null): number | null {
  if (plot === null || pointer === null || !contains(plot.area, pointer.x, pointer.y)) return null;
  return eventAt(plot, pointer.x);
}
