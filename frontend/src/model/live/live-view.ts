import type { Change } from './live-changes';
import { type CurvePoint, LiveCurve } from './live-curve';
import { bytesOf, type RawFrame } from './live-frame';
import { LiveLog } from './live-log';
import { type LiveMap, liveMapOf } from './live-map';
import { type LiveCounts, type LiveLevels, LiveState } from './live-state';

/** Everything that a page shows of one frame. All its numbers describe the same moment. */
export interface LiveView {
  readonly version: number;
  readonly map: LiveMap;
  /** Names of allocation sites. */
  readonly sites: readonly string[];
  readonly levels: LiveLevels;
  readonly counts: LiveCounts;
  readonly deviceTotal: number;
  /** Bytes of each item of the ledger; NaN where unknown. Items of 0 bytes are missing. */
  readonly ledger: ReadonlyMap<string, number>;
  /** Parts of the memory outside the allocator; NaN where unknown. */
  readonly outside: ReadonlyMap<string, number>;
  /** Milliseconds since the feed started. */
  readonly now: number;
  readonly points: readonly CurvePoint[];
  /** Times of failed requests. */
  readonly failures: readonly number[];
}

/** The state of a live allocator, and the view of it that is shown: the present one, or a frozen one. */
export class LiveViews {
  readonly state = new LiveState();
  readonly log = new LiveLog();
  private readonly curve = new LiveCurve();
  private ledger: ReadonlyMap<string, number> = new Map();
  private outside: ReadonlyMap<string, number> = new Map();
  private current: LiveView | null = null;
  private frozen: LiveView | null = null;

  get isFrozen(): boolean {
    return this.frozen !== null;
  }

  /** The frozen view, or that of the latest frame; null before the first. A new frame gives a new object. */
  get view(): LiveView | null {
    return this.frozen ?? this.latest();
  }

  /** Applies a frame, also while a view is frozen. Throws FrameOrderError. */
  apply(frame: RawFrame): Change[] {
    const changes = this.state.apply(frame);
    this.curve.apply(frame);
    this.log.apply(frame, this.state.sites);
    this.ledger = bytesByName(frame.ledger);
    this.outside = bytesByName(frame.outside);
    this.current = null;
    return changes;
  }

  /** Keeps the present view until `unfreeze`, `elapsed` milliseconds after its frame. */
  freeze(elapsed: number): void {
    const view = this.latest();
    if (view === null) return;
    const { points, failures, sites, now } = view;
    // The arrays change with later frames.
    this.frozen = { ...view, now: now + elapsed, points: [...points], failures: [...failures], sites: [...sites] };
  }

  unfreeze(): void {
    this.frozen = null;
  }

  private latest(): LiveView | null {
    const { state } = this;
    if (this.current === null && state.version > 0) {
      this.current = {
        version: state.version,
        map: liveMapOf(state),
        sites: state.sites,
        levels: state.levels,
        counts: state.counts,
        deviceTotal: state.deviceTotal,
        ledger: this.ledger,
        outside: this.outside,
        now: state.now,
        points: this.curve.points,
        failures: this.log.failures,
      };
    }
    return this.current;
  }
}

function bytesByName(parts: RawFrame['ledger'] = {}): ReadonlyMap<string, number> {
  return new Map(Object.entries(parts).map(([name, bytes]) => [name, bytesOf(bytes)]));
}
