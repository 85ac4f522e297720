/** A stretch of events, `from` inclusive to `to` exclusive; fractions while a hand is moving it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Closer than this there is nothing more to see. */
export const LEAST_EVENTS = 4;

export function sizeOf(span: Span): number {
  return span.to - span.from;
}

/** `span` moved (and, if it must be, resized) to lie within 0 to `count`. */
export function clamped(span: Span, count: number): Span {
  const size = Math.min(count, Math.max(Math.min(LEAST_EVENTS, count), sizeOf(span)));
  const from = Math.min(Math.max(0, span.from), count - size);
  return { from, to: from + size };
}

/** Zooms by `factor` (below 1: closer) so that the event at `share` (0 left, 1 right) stays where it is. */
export function zoomed(span: Span, factor: number, share: number, count: number): Span {
  const least = Math.min(LEAST_EVENTS, count);
  const size = Math.min(count, Math.max(least, sizeOf(span) * factor));
  const fixed = span.from + share * sizeOf(span);
  const from = fixed - share * size;
  return clamped({ from, to: from + size }, count);
}

/** Moves by `share` of its size, to the right when positive, and stops at the ends (an infinite share goes there). */
export function panned(span: Span, share: number, count: number): Span {
  const size = Math.min(sizeOf(span), count);
  const from = Math.min(Math.max(0, span.from + share * size), count - size);
  return { from, to: from + size };
}

/** Centres on `event`, at the present size or closer. */
export function centred(span: Span, event: number, mostEvents: number, count: number): Span {
  const size = Math.min(sizeOf(span), mostEvents);
  return clamped({ from: event + 0.5 - size / 2, to: event + 0.5 + size / 2 }, count);
}

/** The whole events that cover it: what the server is asked for, and what the address of the page says. */
export function whole(span: Span): Span {
  return { from: Math.floor(span.from), to: Math.ceil(span.to) };
}

export function overlaps(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

export function equal(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}
