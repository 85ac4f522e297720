import type { ColourBy, MapColour } from '../../model/colour-by';
import { decodeNamedRanges, type NamedRanges } from '../../model/named-ranges';
import type { Frame } from '../../model/frames';
import { decodeMemoryMap, type SnapshotMap } from '../../model/memory-map';
import type { EventRange } from '../../model/event-range';
import type * as Rest from '../../model/rest-types';
import { decodeSearchHits, type SearchHits } from '../../model/search-hits';
import { decodeSegmentTimeline, type SegmentTimeline } from '../../model/segment-timeline';
import { decodeTimeline, type Timeline } from '../../model/timeline';
import { fetchApi, fetchJson } from '../request/api-fetch';
import { responseBytes } from '../request/response-bytes';

/** Details of one allocation. */
export type AllocationDetails = Rest.AllocationView;

/** The frame that represents a stack: its innermost user frame or, if it has none, one of another kind. */
export type Site = Frame;

/** One event; members that the recording does not contain are missing. */
export type EventDetails = Rest.EventView;

export type StackDetails = Rest.StackView;

/** Small allocations that are active after an event, by site. */
export type SmallAllocations = Rest.SmallAllocations;

/** The events to draw (null: all) and the size of the chart in pixels. */
export interface TimelineQuery {
  readonly range: EventRange | null;
  readonly width: number;
  readonly height: number;
  /** By site if it is missing. */
  readonly colour?: ColourBy;
  /** Columns of equal time. */
  readonly isTime?: boolean;
}

/** REST client for one device of a snapshot; `api` is /api/v1/snapshots/ID. All methods throw Problem or InvalidColumnsError. */
export class SnapshotClient {
  constructor(
    private readonly api: string,
    private readonly device: string,
  ) {}

  async timeline(query: TimelineQuery, signal: AbortSignal): Promise<Timeline> {
    return decodeTimeline(await this.columns(`timeline?${this.parameters(query)}`, signal));
  }

  /** Steps and annotations of a range of events, for a chart of `width` pixels. */
  async namedRanges({ from, to }: EventRange, width: number, signal: AbortSignal): Promise<NamedRanges> {
    const parameters = new URLSearchParams({ device: this.device, from: String(from), to: String(to) });
    parameters.set('width', String(width));
    return decodeNamedRanges(await this.columns(`timeline/ranges?${parameters}`, signal));
  }

  async segmentTimeline(query: TimelineQuery, signal: AbortSignal): Promise<SegmentTimeline> {
    return decodeSegmentTimeline(await this.columns(`segment-timeline?${this.parameters(query)}`, signal));
  }

  /** What a text in any frame finds; its bytes after `event`, unless that is null. */
  async search(text: string, event: number | null, signal: AbortSignal): Promise<SearchHits> {
    const parameters = new URLSearchParams({ device: this.device, text });
    if (event !== null) parameters.set('event', String(event));
    return decodeSearchHits(await this.columns(`search?${parameters}`, signal));
  }

  /** Segments and blocks after an event; null: at the end of the recording. */
  async memoryMap(event: number | null, colour: MapColour, signal: AbortSignal): Promise<SnapshotMap> {
    const parameters = new URLSearchParams({ device: this.device });
    // The stacks and states are in every map.
    if (colour !== 'state' && colour !== 'site') parameters.set('colour', colour);
    if (event !== null) parameters.set('event', String(event));
    return decodeMemoryMap(await this.columns(`segments?${parameters}`, signal));
  }

  async allocation(row: number, signal: AbortSignal): Promise<AllocationDetails> {
    return (await this.json(
      `allocations/${row}?device=${encodeURIComponent(this.device)}`,
      signal,
    )) as AllocationDetails;
  }

  /** The sites of the allocations with less than `below` bytes that are active after an event. */
  async smallAllocations(event: number, below: number, signal: AbortSignal): Promise<SmallAllocations> {
    const parameters = new URLSearchParams({ device: this.device, event: String(event), below: String(below) });
    return (await this.json(`timeline/rest?${parameters}`, signal)) as SmallAllocations;
  }

  async event(event: number, signal: AbortSignal): Promise<EventDetails> {
    return (await this.json(`events/${event}?device=${encodeURIComponent(this.device)}`, signal)) as EventDetails;
  }

  async stack(stack: number, signal: AbortSignal): Promise<StackDetails> {
    return (await this.json(`stacks/${stack}`, signal)) as StackDetails;
  }

  private parameters(query: TimelineQuery): URLSearchParams {
    const parameters = new URLSearchParams({ device: this.device });
    if (query.range !== null) {
      parameters.set('from', String(query.range.from));
      parameters.set('to', String(query.range.to));
    }
    parameters.set('width', String(query.width));
    parameters.set('height', String(query.height));
    if (query.colour !== undefined && query.colour !== 'site') parameters.set('colour', query.colour);
    if (query.isTime === true) parameters.set('x', 'time');
    return parameters;
  }

  private async columns(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
    return responseBytes(await fetchApi(`${this.api}/${path}`, 'application/vnd.vramscope.columns', signal));
  }

  private json(path: string, signal: AbortSignal): Promise<unknown> {
    return fetchJson(`${this.api}/${path}`, signal);
  }
}
