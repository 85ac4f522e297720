import { type Change, changesOf } from './live-changes';
import { bytesOf, decodeSegment, type LiveSegment, type RawFrame } from './live-frame';

export interface LivePool {
  readonly name: string;
  readonly large: boolean;
}

/** Counts since the feed began. */
export interface LiveCounts {
  readonly events: number;
  /** Events the feed had no room for. */
  readonly dropped: number;
  /** How often the state had to be taken anew because of that. */
  readonly gaps: number;
  /** Blocks that came and went between two pictures. */
  readonly shortLived: number;
}

export interface LiveLevels {
  readonly requested: number;
  readonly allocated: number;
  readonly active: number;
  readonly reserved: number;
}

/** A frame that does not start where this state ends. The stream has to begin anew. */
export class BrokenFeed extends Error {}

/** A live allocator as the frames tell it. */
export class LiveState {
  version = 0;
  /** Milliseconds since the feed was made. */
  now = 0;
  counts: LiveCounts = { events: 0, dropped: 0, gaps: 0, shortLived: 0 };
  levels: LiveLevels = { requested: 0, allocated: 0, active: 0, reserved: 0 };
  /** NaN where the driver does not say. */
  deviceFree = NaN;
  deviceTotal = NaN;
  /** Why the card does not answer any more, or null. */
  lost: string | null = null;
  readonly segments = new Map<number, LiveSegment>();
  readonly pools: LivePool[] = [];
  /** Where in the program blocks were allocated; 0 is the unknown site. */
  readonly sites: string[] = [];

  /** Follows a frame and tells what it changed; nothing for one that has everything. */
  follow(frame: RawFrame): Change[] {
    const whole = frame.from === 0;
    if (!whole && frame.from !== this.version) {
      throw new BrokenFeed(`A frame starts from version ${frame.from}, known is ${this.version}.`);
    }
    this.version = frame.v;
    this.now = frame.now;
    this.counts = { events: frame.events, dropped: frame.dropped, gaps: frame.gaps, shortLived: frame.shortLived };
    const [requested, allocated, active, reserved] = frame.levels.map(bytesOf);
    this.levels = { requested, allocated, active, reserved };
    [this.deviceFree, this.deviceTotal] = frame.device.map(bytesOf);
    this.lost = frame.lost ?? null;
    this.learnNames(frame);
    if (whole) this.segments.clear();
    for (const id of frame.removed ?? []) this.segments.delete(id);
    const changes: Change[] = [];
    for (const raw of frame.segments) {
      const segment = decodeSegment(raw);
      if (!whole) changes.push(...changesOf(this.segments.get(segment.id) ?? null, segment));
      this.segments.set(segment.id, segment);
    }
    return changes;
  }

  private learnNames(frame: RawFrame): void {
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
