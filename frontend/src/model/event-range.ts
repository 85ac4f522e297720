/** Events `from` (inclusive) to `to` (exclusive); fractional while the user pans or zooms. */
export interface EventRange {
  readonly from: number;
  readonly to: number;
}

/** Limit for zooming in. */
export const MIN_EVENTS = 4;

export function sizeOf(range: EventRange): number {
  return range.to - range.from;
}

/** `range` moved and, if necessary, resized to lie within 0 to `count`. */
export function clamped(range: EventRange, count: number): EventRange {
  const size = Math.min(count, Math.max(Math.min(MIN_EVENTS, count), sizeOf(range)));
  const from = Math.min(Math.max(0, range.from), count - size);
  return { from, to: from + size };
}

/** Zooms by `factor` (below 1: in) around the event at `share` (0: left end, 1: right end). */
export function zoomed(range: EventRange, factor: number, share: number, count: number): EventRange {
  const min = Math.min(MIN_EVENTS, count);
  const size = Math.min(count, Math.max(min, sizeOf(range) * factor));
  const fixed = range.from + share * sizeOf(range);
  const from = fixed - share * size;
  return clamped({ from, to: from + size }, count);
}

/** Moves by `share` of the size of the range, to the right if positive, up to the ends; ±Infinity moves to an end. */
export function panned(range: EventRange, share: number, count: number): EventRange {
  const size = Math.min(sizeOf(range), count);
  const from = Math.min(Math.max(0, range.from + share * size), count - size);
  return { from, to: from + size };
}

/** Centres on `event`; keeps the current size, but at most `maxEvents`. */
export function centred(range: EventRange, event: number, maxEvents: number, count: number): EventRange {
  const size = Math.min(sizeOf(range), maxEvents);
  return clamped({ from: event + 0.5 - size / 2, to: event + 0.5 + size / 2 }, count);
}

/** The most events that are shown around a single one: a twentieth of the trace. */
export function cursorEvents(count: number): number {
  return Math.max(200, count / 20);
}

/** Rounds outwards to whole events, for requests to the server and for the page's URL. */
export function roundedOut(range: EventRange): EventRange {
  return { from: Math.floor(range.from), to: Math.ceil(range.to) };
}

export function overlaps(one: EventRange, other: EventRange): boolean {
  return one.from < other.to && other.from < one.to;
}

export function equal(one: EventRange, other: EventRange): boolean {
  return one.from === other.from && one.to === other.to;
}
