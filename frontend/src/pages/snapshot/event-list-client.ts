import type { EventListRow, EventListView } from '../../model/rest-types';
import { fetchJson } from '../request/api-fetch';

/** One row of the event list; members that the recording does not contain are missing. */
export type EventRow = EventListRow;

/** A part of the events that a filter selects. */
export type EventPart = EventListView;

/** REST client for the events of one device of a snapshot. All methods throw Problem. */
export class EventListClient {
  constructor(
    private readonly api: string,
    private readonly device: string,
  ) {}

  /** The rows from `offset` among the events that `filter` selects. */
  part(filter: URLSearchParams, offset: number, limit: number, signal: AbortSignal): Promise<EventPart> {
    return this.get(filter, { offset, limit }, signal);
  }

  /** The rows around an event. */
  around(filter: URLSearchParams, event: number, limit: number, signal: AbortSignal): Promise<EventPart> {
    return this.get(filter, { around: event, limit }, signal);
  }

  private async get(
    filter: URLSearchParams,
    parameters: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): Promise<EventPart> {
    const query = new URLSearchParams(filter);
    query.set('device', this.device);
    for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
    return (await fetchJson(`${this.api}/events?${query}`, signal)) as EventPart;
  }
}
