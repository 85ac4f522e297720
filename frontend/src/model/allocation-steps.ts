import { intAt, numberAt } from '../base/at';
import type { EventRange } from './event-range';
import { type AllocationRectangles, eventOfColumn } from './timeline';

/** The allocations with a rectangle in `range`, in order of allocation, each once. */
export function drawnAllocations(timeline: AllocationRectangles, range: EventRange): number[] {
  const rows = new Set<number>();
  for (const i of rectanglesIn(timeline, range)) rows.add(intAt(timeline.allocation, i));
  return [...rows].sort((one, other) => one - other);
}

/**
 * The allocation before (-1) or after (1) `current` in order of allocation. Without a current one: the last or the first.
 * At an end it stays; null if none is drawn.
 */
export function steppedAllocation(
  timeline: AllocationRectangles,
  range: EventRange,
  current: number | null,
  by: -1 | 1,
): number | null {
  const rows = drawnAllocations(timeline, range);
  if (by < 0) rows.reverse();
  const next = current === null ? rows[0] : rows.find((row) => (row - current) * by > 0);
  return next ?? current;
}

/**
 * The allocation below (-1) or above (1) `current` in the stack, at the middle of the visible part of `current`. Without
 * a visible current one: the lowest in the middle of `range`.
 */
export function stackedAllocation(
  timeline: AllocationRectangles,
  range: EventRange,
  current: number | null,
  by: -1 | 1,
): number | null {
  const visible = rectanglesIn(timeline, range);
  const own = visible.find((i) => timeline.allocation[i] === current);
  const event = own === undefined ? (range.from + range.to) / 2 : middle(timeline, range, own);
  const stack = visible
    .filter((i) => {
      const { from, to } = extent(timeline, i);
      return from <= event && event < to;
    })
    .sort((one, other) => numberAt(timeline.bottom, one) - numberAt(timeline.bottom, other));
  const at = stack.findIndex((i) => timeline.allocation[i] === current);
  const next = at < 0 ? stack[0] : stack[at + by];
  return next === undefined ? current : intAt(timeline.allocation, next);
}

function rectanglesIn(timeline: AllocationRectangles, range: EventRange): number[] {
  const found: number[] = [];
  for (let i = 0; i < timeline.allocation.length; i++) {
    const { from, to } = extent(timeline, i);
    if (from < range.to && to > range.from) found.push(i);
  }
  return found;
}

/** The events that a rectangle covers. */
function extent(timeline: AllocationRectangles, rectangle: number): EventRange {
  return {
    from: eventOfColumn(timeline, intAt(timeline.column0, rectangle)),
    to: eventOfColumn(timeline, intAt(timeline.column1, rectangle)),
  };
}

/** The event in the middle of the visible part of a rectangle. */
function middle(timeline: AllocationRectangles, range: EventRange, rectangle: number): number {
  const { from, to } = extent(timeline, rectangle);
  return Math.floor((Math.max(from, range.from) + Math.min(to, range.to)) / 2);
}
