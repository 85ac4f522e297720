import { centred, clamped, cursorEvents, type EventRange, roundedOut } from './event-range';

/**
 * The parameters that the pages of a snapshot share, the same as the server's ViewParameters: the visible range (`from`,
 * `to`), the event under the cursor, the selected allocation, the marked range, and the search.
 */
const CARRIED = ['from', 'to', 'event', 'sel', 'range', 'text'] as const;

/** The link `href` of another page of the snapshot, with what the page with `query` shows. */
export function carried(href: string, query: string): string {
  const [path = '', rest = ''] = href.split('?', 2);
  const parameters = new URLSearchParams(rest);
  const shown = new URLSearchParams(query);
  for (const name of CARRIED) {
    const value = shown.get(name);
    // An address selects a block of the segment map only.
    if (value === null || value === '' || (name === 'sel' && !/^\d+$/.test(value))) parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A link to a part of the snapshot, such as an event, with what else the page with `query` shows. */
export function completed(href: string, query: string): string {
  const [url = '', ...hash] = href.split('#');
  const [path = '', rest = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(rest);
  const shown = new URLSearchParams(query);
  const event = integer(parameters.get('event'));
  for (const name of CARRIED) {
    // The event list would leave out the events without the text.
    if (parameters.has(name) || (name === 'text' && path.endsWith('/events'))) continue;
    const value = shown.get(name);
    if (value !== null) parameters.set(name, value);
  }
  if (event !== null && (event < Number(parameters.get('from')) || event >= Number(parameters.get('to')))) {
    parameters.delete('from');
    parameters.delete('to');
  }
  const text = parameters.toString();
  return [text === '' ? path : `${path}?${text}`, ...hash].join('#');
}

/** `query` with the cursor on an event or, if null, without one; the visible range moves if it does not contain it. */
export function withCursor(query: string, event: number | null, eventCount: number): string {
  const parameters = new URLSearchParams(query);
  const range = visibleRange(parameters, eventCount);
  if (event === null) parameters.delete('event');
  else parameters.set('event', String(event));
  if (event !== null && range !== null && (event < range.from || event >= range.to)) {
    const { from, to } = roundedOut(centred(range, event, cursorEvents(eventCount), eventCount));
    parameters.set('from', String(from));
    parameters.set('to', String(to));
  }
  return parameters.toString();
}

/** The range `from`, `to` of a URL, or null if it has none that makes sense. */
export function visibleRange(parameters: URLSearchParams, eventCount: number): EventRange | null {
  const from = integer(parameters.get('from'));
  const to = integer(parameters.get('to'));
  return from !== null && to !== null && to > from && from < eventCount ? clamped({ from, to }, eventCount) : null;
}

/**
 * The URL of the flame graph that its form describes: a moment that is an event is the cursor, and what the other pages
 * show is kept.
 */
export function flameQuery(form: URLSearchParams, query: string): string {
  const parameters = new URLSearchParams(form);
  const shown = new URLSearchParams(query);
  for (const name of ['event', 'sel', 'range']) {
    const value = shown.get(name);
    if (value !== null) parameters.set(name, value);
  }
  const at = parameters.get('at');
  if (at !== null && integer(at) !== null) {
    parameters.set('event', at);
    parameters.delete('at');
  } else if (parameters.has('event')) parameters.set('at', at ?? 'peak');
  return parameters.toString();
}

/** The number that a parameter or the text of a field is, also with commas as in `987,715`; or null. */
export function integer(text: string | null): number | null {
  const digits = text === null ? '' : ungrouped(text.trim());
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** The text with the commas between groups of three digits left out, the same as the server's GroupedDigits. */
export function ungrouped(text: string): string {
  return text.replace(/(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)/g, (number) => number.replaceAll(',', ''));
}
