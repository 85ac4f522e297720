import { integer } from './view-parameters';
import { type EventRange, sizeOf } from './event-range';

/**
 * The events that the user has marked, between two borders: border e is before event e. The mark began at `anchor`; `head`
 * is the border that the keyboard moves, on either side of the anchor.
 */
export interface MarkedRange {
  readonly anchor: number;
  readonly head: number;
}

/** The marked events. */
export function eventsOf(mark: MarkedRange): EventRange {
  return { from: Math.min(mark.anchor, mark.head), to: Math.max(mark.anchor, mark.head) };
}

/**
 * Reads `100-200`: the first event and the one after the last; as the server does, also `1,100 to 1,200`. Null if that is
 * no range of the trace.
 */
export function readMark(text: string | null, eventCount: number): MarkedRange | null {
  const [first, end, ...more] = (text ?? '').split(/\s*(?:[-–—]|\.\.|to)\s*/);
  const [from, to] = [integer(first ?? null), integer(end ?? null)];
  if (from === null || to === null || more.length > 0 || to <= from || from >= eventCount) return null;
  return { anchor: from, head: Math.min(to, eventCount) };
}

export function writeMark(mark: MarkedRange | null): string | null {
  if (mark === null) return null;
  const { from, to } = eventsOf(mark);
  return `${from}-${to}`;
}

/** Marks all events that are at least partly between two positions, which may be outside the trace. */
export function markBetween(one: number, other: number, eventCount: number): MarkedRange | null {
  const from = Math.max(0, Math.floor(Math.min(one, other)));
  const to = Math.min(eventCount, Math.ceil(Math.max(one, other)));
  return to > from ? { anchor: from, head: to } : null;
}

/**
 * Moves the head to the right (1) or left (-1): by one event, or by a hundredth of the visible ones. Without a mark, it
 * begins at the event `cursor`, which it contains. Null when the head is back at the anchor.
 */
export function extended(
  mark: MarkedRange | null,
  cursor: number,
  by: -1 | 1,
  visible: EventRange,
  eventCount: number,
): MarkedRange | null {
  const anchor = mark?.anchor ?? (by === 1 ? cursor : cursor + 1);
  const step = Math.max(1, Math.round(sizeOf(visible) / 100));
  const moved = (mark?.head ?? anchor) + by * step;
  // A step across the anchor stops there.
  const crosses = mark !== null && (mark.head - anchor) * (moved - anchor) < 0;
  const head = crosses ? anchor : Math.min(eventCount, Math.max(0, moved));
  return head === anchor ? null : { anchor, head };
}
