import { integer, visibleRange } from './view-parameters';
import { type ColourBy, readColour } from './colour-by';
import { centred, cursorEvents, type EventRange, roundedOut } from './event-range';
import { type MarkedRange, readMark, writeMark } from './marked-range';

/** Byte axis from zero, or only the values that occur in the range (for small changes above a high baseline). */
export type ByteScale = 'full' | 'fit';

/** The view state kept in the page's URL. */
export interface TimelineView {
  readonly range: EventRange;
  readonly scale: ByteScale;
  readonly colour: ColourBy;
  /** Row of the pinned allocation. */
  readonly selected: number | null;
  /** The event under the cursor. */
  readonly event: number | null;
  /** The events that the user has marked. */
  readonly mark: MarkedRange | null;
  /** What is searched for in stacks. */
  readonly text: string | null;
}

/**
 * Reads `?from=…&to=…&scale=fit&colour=…&sel=…&event=…&range=…&text=…`; missing or invalid values fall back to the whole trace without a pinned
 * allocation and without a cursor. Without a range, the view is centred on the cursor.
 */
export function readTimelineView(query: string, eventCount: number): TimelineView {
  const parameters = new URLSearchParams(query);
  const number = integer(parameters.get('event'));
  const event = number !== null && number < eventCount ? number : null;
  const whole = { from: 0, to: eventCount };
  return {
    range:
      visibleRange(parameters, eventCount) ??
      (event === null ? whole : centred(whole, event, cursorEvents(eventCount), eventCount)),
    scale: parameters.get('scale') === 'fit' ? 'fit' : 'full',
    colour: readColour(parameters.get('colour')),
    selected: integer(parameters.get('sel')),
    event,
    mark: readMark(parameters.get('range'), eventCount),
    text: parameters.get('text'),
  };
}

/** Returns `query` with this view's parameters; all other parameters (device, filters) are kept. */
export function writeTimelineView(query: string, view: TimelineView, eventCount: number): string {
  const parameters = new URLSearchParams(query);
  const { from, to } = roundedOut(view.range);
  const isWhole = from <= 0 && to >= eventCount;
  set(parameters, 'from', isWhole ? null : from);
  set(parameters, 'to', isWhole ? null : to);
  set(parameters, 'scale', view.scale === 'fit' ? 'fit' : null);
  set(parameters, 'colour', view.colour === 'site' ? null : view.colour);
  set(parameters, 'sel', view.selected);
  set(parameters, 'event', view.event);
  set(parameters, 'range', writeMark(view.mark));
  set(parameters, 'text', view.text);
  return parameters.toString();
}

function set(parameters: URLSearchParams, name: string, value: number | string | null): void {
  if (value === null) parameters.delete(name);
  else parameters.set(name, String(value));
}
