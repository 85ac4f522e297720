import { intAt, numberAt } from '../base/at';
import { columnOfEvent, type Timeline } from './timeline';

/** What is drawn at a point of the timeline. */
export type Hit =
  | { readonly kind: 'allocation'; readonly rectangle: number; readonly allocation: number; readonly column: number }
  | { readonly kind: 'rest'; readonly bytes: number; readonly column: number }
  | { readonly kind: 'inactive'; readonly bytes: number; readonly column: number }
  | { readonly kind: 'none' };

const NONE: Hit = { kind: 'none' };

/** Hit test at `event`, `level` bytes above zero. Scanning 60,000 rectangles takes a tenth of a millisecond. */
export function hitAt(timeline: Timeline, event: number, level: number): Hit {
  const column = columnOfEvent(timeline, event);
  if (column < 0 || level < 0) return NONE;
  const { column0, column1, bottom, bytes, allocation } = timeline;
  for (let i = 0; i < allocation.length; i++) {
    if (
      intAt(column0, i) <= column &&
      column < intAt(column1, i) &&
      numberAt(bottom, i) <= level &&
      level < numberAt(bottom, i) + numberAt(bytes, i)
    ) {
      return { kind: 'allocation', rectangle: i, allocation: intAt(allocation, i), column };
    }
  }
  const active = numberAt(timeline.activeMax, column);
  if (level < active) return { kind: 'rest', bytes: numberAt(timeline.rest, column), column };
  if (level < numberAt(timeline.reserved, column)) {
    return { kind: 'inactive', bytes: numberAt(timeline.reserved, column) - active, column };
  }
  return NONE;
}

/** All rectangles of one allocation. It has several if it moved down because an allocation below it was freed. */
export function rectanglesOf(timeline: Timeline, allocation: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < timeline.allocation.length; i++) if (timeline.allocation[i] === allocation) found.push(i);
  return found;
}
