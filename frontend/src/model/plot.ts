import { type Span, sizeOf } from './span';

/** A rectangle of the canvas, in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where events and bytes lie on the canvas: `low` bytes at the bottom edge of `area`, `high` at its top. */
export interface Plot {
  readonly area: Area;
  readonly span: Span;
  readonly low: number;
  readonly high: number;
}

export function xOf(plot: Plot, event: number): number {
  return plot.area.left + ((event - plot.span.from) / sizeOf(plot.span)) * plot.area.width;
}

export function yOf(plot: Plot, bytes: number): number {
  return plot.area.top + (1 - (bytes - plot.low) / (plot.high - plot.low)) * plot.area.height;
}

export function eventAt(plot: Plot, x: number): number {
  return plot.span.from + shareAt(plot.area, x) * sizeOf(plot.span);
}

export function bytesAt(plot: Plot, y: number): number {
  return plot.high - ((y - plot.area.top) / plot.area.height) * (plot.high - plot.low);
}

/** How far across the area: 0 at its left edge, 1 at its right. */
export function shareAt(area: Area, x: number): number {
  return (x - area.left) / area.width;
}

export function contains(area: Area, x: number, y: number): boolean {
  return x >= area.left && x < area.left + area.width && y >= area.top && y < area.top + area.height;
}
