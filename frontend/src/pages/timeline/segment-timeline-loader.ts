import { LatestRequest } from '../../base/latest-request';
import { discardResponse } from '../../model/columns';
import { type EventRange, overlaps, roundedOut } from '../../model/event-range';
import type { SegmentTimeline } from '../../model/segment-timeline';
import type { Timeline } from '../../model/timeline';
import type { SnapshotClient, TimelineQuery } from '../snapshot/snapshot-client';
import { DETAIL_INTERVAL_MILLIS } from './timeline-loader';

/** The server rejects larger sizes. */
const MAX_PIXELS = 8192;

/**
 * Loads the data of the chart: `overview` is the active memory of the whole trace, for the minimap; `detail` the newest
 * response for the visible range.
 */
export class SegmentTimelineLoader {
  overview: Timeline | null = null;
  detail: SegmentTimeline | null = null;
  private requested = '';
  private readonly overviews: LatestRequest<TimelineQuery, Timeline>;
  private readonly details: LatestRequest<TimelineQuery, SegmentTimeline>;

  /** `opened` is called when the overview has arrived. */
  constructor(client: SnapshotClient, opened: () => void, received: () => void, failed: (error: unknown) => void) {
    this.overviews = new LatestRequest(
      (query, signal) => client.timeline(query, signal),
      (_query, timeline) => {
        this.overview = timeline;
        opened();
      },
      (_query, error) => failed(error),
    );
    this.details = new LatestRequest(
      (query, signal) => client.segmentTimeline(query, signal),
      (_query, timeline) => {
        const previous = this.detail;
        this.detail = timeline;
        received();
        if (previous !== null) discardResponse(previous.lane);
      },
      (_query, error) => {
        this.requested = '';
        failed(error);
      },
      (running, query) => running.range === null || query.range === null || overlaps(running.range, query.range),
      DETAIL_INTERVAL_MILLIS,
    );
  }

  loadOverview(width: number): void {
    this.overviews.request({ range: null, width: Math.min(MAX_PIXELS, width), height: 1 });
  }

  /** Requests the data for `range`, unless it was the last request. */
  loadDetail(range: EventRange, pixels: { width: number; height: number }): void {
    if (this.overview === null) return;
    const query = {
      range: roundedOut(range),
      width: Math.min(MAX_PIXELS, pixels.width),
      height: Math.min(MAX_PIXELS, pixels.height),
    };
    const key = JSON.stringify(query);
    if (key === this.requested) return;
    this.requested = key;
    this.details.request(query);
  }
}
