import { type Change, changesOf } from './live-changes';
import { bytesOf, decodeSegment, type LiveSegment, type RawFrame } from './live-frame';

export interface LivePool {
  readonly name: string;
  readonly large: boolean;
}

/** Counters; `events` is the number of the next event of the recorded history. */
export interface LiveCounts {
  readonly events: number;
  /** Events that did not fit into the feed's ring buffer. */
  readonly dropped: number;
  /** How often the full state was reloaded after dropped events. */
  readonly gaps: number;
  /** Blocks that were allocated and freed between two frames. */
  readonly shortLived: number;
}

export interface LiveLevels {
  readonly requested: number;
  readonly allocated: number;
  readonly active: number;
  readonly reserved: number;
}

/** A frame does not continue from the current version. The stream must be restarted. */
export class FrameOrderError extends Error {}

/** The state of a live allocator, updated by frames. */
export class LiveState {
  version = 0;
  /** Milliseconds since the feed started. */
  now = 0;
  counts: LiveCounts = { events: 0, dropped: 0, gaps: 0, shortLived: 0 };
  levels: LiveLevels = { requested: 0, allocated: 0, active: 0, reserved: 0 };
  /** NaN where the driver does not report it. */
  deviceFree = NaN;
  deviceTotal = NaN;
  /** Why the device is lost, or null. */
  lost: string | null = null;
  readonly segments = new Map<number, LiveSegment>();
  readonly pools: LivePool[] = [];
  /** Names of allocation sites; index 0 is the unknown site. */
  readonly sites: string[] = [];

  /** Applies a frame and returns its changes; none for a frame with the full state. Throws FrameOrderError. */
  apply(frame: RawFrame): Change[] {
    const isFull = frame.from === 0;
    if (!isFull && frame.from !== this.version) {
      throw new FrameOrderError(`The frame starts from version ${frame.from}; the current version is ${this.version}.`);
    }
    this.version = frame.v;
    this.now = frame.now;
    this.counts = { events: frame.events, dropped: frame.dropped, gaps: frame.gaps, shortLived: frame.shortLived };
    const [requested = NaN, allocated = NaN, active = NaN, reserved = NaN] = frame.levels.map(bytesOf);
    this.levels = { requested, allocated, active, reserved };
    [this.deviceFree = NaN, this.deviceTotal = NaN] = frame.device.map(bytesOf);
    this.lost = frame.lost ?? null;
    this.updateNames(frame);
    if (isFull) this.segments.clear();
    for (const id of frame.removed ?? []) this.segments.delete(id);
    const changes: Change[] = [];
    for (const raw of frame.segments) {
      const segment = decodeSegment(raw);
      if (!isFull) changes.push(...changesOf(this.segments.get(segment.id) ?? null, segment));
      this.segments.set(segment.id, segment);
    }
    return changes;
  }

  private updateNames(frame: RawFrame): void {
    if (frame.pools !== undefined) {
      this.pools.length = 0;
      for (const [name, large] of frame.pools) this.pools.push({ name, large: large === 1 });
    }
    if (frame.sites !== undefined) {
      const [first, ...names] = frame.sites;
      this.sites.length = first;
      this.sites.push(...names);
    }
  }
}
