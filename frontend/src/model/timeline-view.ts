import { clamped, type EventRange, roundedOut } from './event-range';

/** Byte axis from zero, or only the values that occur in the range (for small changes above a high baseline). */
export type ByteScale = 'full' | 'fit';

/** The view state kept in the page's URL. */
export interface TimelineView {
  readonly range: EventRange;
  readonly scale: ByteScale;
  /** Row of the pinned allocation. */
  readonly selected: number | null;
}

/** Reads `?from=…&to=…&scale=fit&sel=…`; missing or invalid values fall back to the whole trace without a pinned allocation. */
export function readTimelineView(query: string, fallback: EventRange | null, eventCount: number): TimelineView {
  const parameters = new URLSearchParams(query);
  const from = integer(parameters.get('from'));
  const to = integer(parameters.get('to'));
  const requested = from !== null && to !== null && to > from ? { from, to } : fallback;
  return {
    range: clamped(requested ?? { from: 0, to: eventCount }, eventCount),
    scale: parameters.get('scale') === 'fit' ? 'fit' : 'full',
    selected: integer(parameters.get('sel')),
  };
}

/** Parses `from,to`, the format of the initial range suggested by the server; null if invalid. */
export function readRange(text: string): EventRange | null {
  const [from, to] = text.split(',').map((part) => integer(part.trim()));
  return from != null && to != null && to > from ? { from, to } : null;
}

/** Returns `query` with this view's parameters; all other parameters (device, filters) are kept. */
export function writeTimelineView(query: string, view: TimelineView, eventCount: number): string {
  const parameters = new URLSearchParams(query);
  const { from, to } = roundedOut(view.range);
  const isWhole = from <= 0 && to >= eventCount;
  set(parameters, 'from', isWhole ? null : from);
  set(parameters, 'to', isWhole ? null : to);
  set(parameters, 'scale', view.scale === 'fit' ? 'fit' : null);
  set(parameters, 'sel', view.selected);
  return parameters.toString();
}

function integer(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function set(parameters: URLSearchParams, name: string, value: number | string | null): void {
  if (value === null) parameters.delete(name);
  else parameters.set(name, String(value));
}
