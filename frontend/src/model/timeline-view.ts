import { clamped, type Span, whole } from './span';

/** From zero, or only the heights that occur in the span (for small changes on a tall baseline). */
export type HeightScale = 'zero' | 'span';

/** What the address of the page restores. */
export interface TimelineView {
  readonly span: Span;
  readonly heights: HeightScale;
  /** The pinned allocation's row. */
  readonly selected: number | null;
}

/** Reads `?from=…&to=…&heights=span&sel=…`; what is missing or senseless falls back to the whole trace, nothing pinned. */
export function readTimelineView(query: string, fallback: Span | null, eventCount: number): TimelineView {
  const parameters = new URLSearchParams(query);
  const from = integer(parameters.get('from'));
  const to = integer(parameters.get('to'));
  const asked = from !== null && to !== null && to > from ? { from, to } : fallback;
  return {
    span: clamped(asked ?? { from: 0, to: eventCount }, eventCount),
    heights: parameters.get('heights') === 'span' ? 'span' : 'zero',
    selected: integer(parameters.get('sel')),
  };
}

/** Reads `from,to`, as the server suggests a first span; null for anything else. */
export function readSpan(text: string): Span | null {
  const [from, to] = text.split(',').map((part) => integer(part.trim()));
  return from != null && to != null && to > from ? { from, to } : null;
}

/** The query with this view in it; what other code keeps there (device, filters) stays. */
export function writeTimelineView(query: string, view: TimelineView, eventCount: number): string {
  const parameters = new URLSearchParams(query);
  const { from, to } = whole(view.span);
  const fits = from <= 0 && to >= eventCount;
  set(parameters, 'from', fits ? null : from);
  set(parameters, 'to', fits ? null : to);
  set(parameters, 'heights', view.heights === 'span' ? 'span' : null);
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
