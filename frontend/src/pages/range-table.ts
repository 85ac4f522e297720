import { type EventRange, roundedOut } from '../model/event-range';

/**
 * Opens the table of what the events of `range` allocate and free by site, on the page of the timeline with the view
 * `query`. A navigation, so that Back returns to the page without the table.
 */
export function openRangeTable(page: string, range: EventRange, query: string): void {
  const { from, to } = roundedOut(range);
  const parameters = new URLSearchParams(query);
  parameters.set('range', `${from}-${to}`);
  location.assign(`${page}/timeline?${parameters}#range`);
}
