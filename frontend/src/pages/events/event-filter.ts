import { Debounce } from '../../base/debounce';
import { integer } from '../../model/view-parameters';
import { beforeLeaving } from '../request/before-leaving';

/** The time between two keys of a fast typist; the list does not change in between. */
const TYPING_MILLIS = 150;

const FIELDS = ['action', 'text', 'min', 'max', 'address', 'stream', 'pool', 'events', 'site'] as const;

function form(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form.event-filter');
}

/** `query` with the fields of `filter`, and no others of the filter. */
export function withFilter(query: string, filter: URLSearchParams): string {
  const parameters = new URLSearchParams(query);
  for (const name of FIELDS) parameters.delete(name);
  for (const [name, value] of filter) parameters.set(name, value);
  // The first row of the page without scripts.
  parameters.delete('offset');
  return parameters.toString();
}

/** The fields of the filter above the event list that are not empty, as parameters of the REST API. */
export function readEventFilter(): URLSearchParams {
  const found = form();
  const filter = new URLSearchParams();
  if (found === null) return filter;
  const data = new FormData(found);
  for (const name of FIELDS) {
    const value = data.get(name);
    if (typeof value === 'string' && value.trim() !== '') filter.set(name, value.trim());
  }
  return filter;
}

/**
 * Calls `changed` after each change of the filter: when the user pauses, on Enter, and before the user leaves the page;
 * `goTo` with the number in the field for an event when it is entered.
 */
export function listenToEventFilter(changed: () => void, goTo: (event: number) => void): void {
  const found = form();
  if (found === null) return;
  const event = found.querySelector<HTMLInputElement>('[name=event]');
  const typing = new Debounce(TYPING_MILLIS, changed);
  found.addEventListener('input', (input) => {
    if (input.target !== event) typing.changed();
  });
  found.addEventListener('submit', (submit) => {
    submit.preventDefault();
    const number = document.activeElement === event ? integer(event?.value ?? '') : null;
    if (number !== null) goTo(number);
  });
  beforeLeaving(() => typing.flush());
}

/** Offers to remove the filter if there is one. */
export function showReset(filter: URLSearchParams): void {
  const reset = form()?.querySelector<HTMLElement>('[data-all-events]');
  if (reset !== null && reset !== undefined) reset.hidden = filter.size === 0;
}
