import { type EventRange, roundedOut } from '../model/event-range';

/**
 * Opens the table of what the events of `range` allocate and free by site, on the page of the timeline with the view
 * `query`. A navigation, so that Back returns to the page without the table.
 */
export function openRangeTable(page: string, range: EventRange, query: string): void {
  const { from, to } = roundedOut(range);
  const parameters = new URLSearchParams(query);
  parameters.set('range', `${from}-${to}`);
  const url = new URL(`${page}/timeline?${parameters}#range`, location.href);
  if (url.pathname !== location.pathname || url.search !== location.search) location.assign(url);
  else {
    // The marked range is in the URL before its table is on the page.
    history.pushState(history.state, '', url);
    location.reload();
  }
}
