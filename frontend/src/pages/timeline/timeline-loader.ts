import { LatestRequest } from '../../base/latest-request';
import type { ColourBy } from '../../model/colour-by';
import { byteRangeOf } from '../../model/byte-range';
import { discardResponse } from '../../model/columns';
import { overlaps, sizeOf } from '../../model/event-range';
import { PanAhead, type Wanted } from '../../model/pan-ahead';
import type { Timeline } from '../../model/timeline';
import { TimeScale } from '../../model/time-scale';
import type { TimelineView } from '../../model/timeline-view';
import type { SnapshotClient, TimelineQuery } from '../snapshot/snapshot-client';

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/**
 * The server combines allocations that are thinner than half a pixel into one band. Requesting a multiple of the canvas
 * height shows more of them individually. Short ranges have fewer allocations, so they get a higher factor.
 */
const HEIGHT_FACTOR = 2;
const SHORT_RANGE_HEIGHT_FACTOR = 6;
const SHORT_RANGE_EVENTS = 100_000;
/** The server rejects larger sizes. */
const MAX_PIXELS = 8192;

/** With a fitted byte axis only a part of the chart's height is visible; the factor for that is limited to this. */
const MAX_HEIGHT_FACTOR = 16;

/**
 * Ten details a second while the view moves: a detail of 1M events is up to a megabyte.
 */
export const DETAIL_INTERVAL_MILLIS = 100;

/** Without a change for this long, the view is at rest. */
const REST_MILLIS = 150;

/**
 * Loads the data of the chart: `overview` is the whole trace, `detail` the newest response for the visible range. While a
 * new detail is loading, the previous one is still drawn, at its position in the new range.
 */
export class TimelineLoader {
  overview: Timeline | null = null;
  detail: Timeline | null = null;
  private requested: TimelineQuery | null = null;
  private scaled: { readonly detail: Timeline; readonly scale: TimeScale } | null = null;
  private readonly pan = new PanAhead();
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly requests: LatestRequest<TimelineQuery, Timeline>;

  constructor(
    client: SnapshotClient,
    isTime: boolean,
    received: (first: boolean) => void,
    failed: (error: unknown) => void,
  ) {
    this.requests = new LatestRequest(
      (query, signal) => client.timeline({ ...query, isTime }, signal),
      (_query, timeline) => {
        const first = this.overview === null;
        this.overview ??= timeline;
        const previous = this.detail;
        this.detail = timeline;
        received(first);
        if (previous !== null && previous !== this.overview) discardResponse(previous.event);
      },
      (_query, error) => {
        this.requested = null;
        failed(error);
      },
      (running, query) => running.range === null || query.range === null || overlaps(running.range, query.range),
      DETAIL_INTERVAL_MILLIS,
    );
  }

  /** Places events by their times, if that is what was requested. */
  get scale(): TimeScale | null {
    const { overview, detail } = this;
    if (!overview?.timed || !detail?.timed) return null;
    if (this.scaled?.detail !== detail) this.scaled = { detail, scale: new TimeScale(detail.timed, overview.timed) };
    return this.scaled.scale;
  }

  /** Requests the whole trace: with all rectangles if it will be visible, otherwise only its silhouette. */
  loadOverview(pixels: Pixels, colour: ColourBy, isVisible: boolean): void {
    const height = isVisible ? pixels.height * HEIGHT_FACTOR : 1;
    this.request({ range: null, width: pixels.width, height, colour });
  }

  /** Requests the data for `view`, and more of it while it pans, unless it was the last request. */
  loadDetail(view: Pick<TimelineView, 'range' | 'scale' | 'colour'>, pixels: Pixels): void {
    const { overview } = this;
    if (overview === null || overview.eventCount === 0) return;
    clearTimeout(this.rest);
    const wanted = this.pan.moved(view.range, overview.eventCount);
    this.load(view, pixels, wanted);
    if (wanted.factor > 1) {
      this.rest = setTimeout(() => this.load(view, pixels, this.pan.exactly(view.range)), REST_MILLIS);
    }
  }

  private load(
    view: Pick<TimelineView, 'range' | 'scale' | 'colour'>,
    pixels: Pixels,
    { range, factor }: Wanted,
  ): void {
    const { overview, detail } = this;
    if (overview === null || detail === null) return;
    const isWhole = range.from <= 0 && range.to >= overview.eventCount;
    const { low, high } = byteRangeOf(overview, detail, view.range, view.scale);
    const fitFactor =
      view.scale === 'fit' ? Math.min(MAX_HEIGHT_FACTOR, 2 ** Math.ceil(Math.log2(high / (high - low)))) : 1;
    const heightFactor = sizeOf(range) / factor <= SHORT_RANGE_EVENTS ? SHORT_RANGE_HEIGHT_FACTOR : HEIGHT_FACTOR;
    this.request({
      range: isWhole ? null : range,
      width: Math.round(pixels.width * factor),
      height: pixels.height * heightFactor * fitFactor,
      colour: view.colour,
    });
  }

  private request(query: TimelineQuery): void {
    const limited = { ...query, width: Math.min(MAX_PIXELS, query.width), height: Math.min(MAX_PIXELS, query.height) };
    if (this.requested !== null && isSame(this.requested, limited)) return;
    this.requested = limited;
    this.requests.request(limited);
  }
}

function isSame(one: TimelineQuery, other: TimelineQuery): boolean {
  return (
    one.width === other.width &&
    one.height === other.height &&
    one.colour === other.colour &&
    one.range?.from === other.range?.from &&
    one.range?.to === other.range?.to
  );
}
