import { bytesOf, type RawEvent, type RawFrame } from './live-frame';

/** PyTorch's names of allocator events, indexed by their code in frames; test/fixtures/wire-enums.json lists both. */
export const EVENT_NAMES = [
  'alloc',
  'free_requested',
  'free_completed',
  'segment_alloc',
  'segment_free',
  'segment_map',
  'segment_unmap',
  'snapshot',
  'oom',
  'user_defined',
  'annotate',
] as const;
export type EventName = (typeof EVENT_NAMES)[number] | 'unknown';

export const LOG_FILTERS = ['all', 'blocks', 'segments', 'failures'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

export interface LiveEvent {
  /** Its number in the recorded history, from 0, as in the trace of a snapshot. */
  readonly number: number;
  readonly name: EventName;
  readonly address: string;
  readonly bytes: number;
  /** For an allocation the size of the block, for an out-of-memory error the free memory of the device; in bytes. */
  readonly extra: number;
  readonly stream: number;
  readonly site: string;
  readonly millis: number;
}

/** A line of the log: an event, or a number of events that are not listed. */
export type LogLine = LiveEvent | { readonly skipped: number };

const MAX_LINES = 400;
const MAX_FAILURES = 50;

/** The most recent events, newest last. At high event rates the server omits events; the log counts them. */
export class LiveLog {
  readonly lines: LogLine[] = [];
  /** Times of the latest failed requests, in milliseconds since the feed started. */
  readonly failures: number[] = [];
  private lastNumber = -1;

  apply(frame: RawFrame, sites: readonly string[]): void {
    if (frame.from === 0) {
      // The first frame has only the most recent events; earlier ones are not counted as skipped.
      this.lines.length = 0;
      this.failures.length = 0;
      const [first] = frame.log;
      this.lastNumber = (first === undefined ? frame.events : first[0]) - 1;
    }
    for (const raw of frame.log) {
      const event = eventOf(raw, sites);
      this.skip(event.number - this.lastNumber - 1 - this.impliedCount());
      this.lines.push(event);
      if (event.name === 'oom') this.failures.push(event.millis);
      this.lastNumber = event.number;
    }
    this.skip(frame.events - 1 - this.lastNumber - this.impliedCount());
    this.lastNumber = frame.events - 1;
    if (this.failures.length > MAX_FAILURES) this.failures.splice(0, this.failures.length - MAX_FAILURES);
    if (this.lines.length > MAX_LINES) this.lines.splice(0, this.lines.length - MAX_LINES);
  }

  /** A free that completes immediately is sent as one event but counts as two. */
  private impliedCount(): number {
    const last = this.lines.at(-1);
    return last !== undefined && 'name' in last && last.name === 'free_requested' ? 1 : 0;
  }

  private skip(count: number): void {
    if (count <= 0) return;
    const last = this.lines.at(-1);
    if (last !== undefined && 'skipped' in last) this.lines[this.lines.length - 1] = { skipped: last.skipped + count };
    else this.lines.push({ skipped: count });
  }

  /** The last `count` lines that match the filter, oldest first. Skipped events are included only in `all`. */
  last(count: number, filter: LogFilter): LogLine[] {
    return this.lines.filter((line) => matches(line, filter)).slice(-count);
  }
}

function eventOf(raw: RawEvent, sites: readonly string[]): LiveEvent {
  const [number, code, address, bytes, extra, stream, , site, millis] = raw;
  return {
    number,
    name: EVENT_NAMES[code] ?? 'unknown',
    address,
    bytes: bytesOf(bytes),
    extra: bytesOf(extra),
    stream,
    site: sites[site] ?? '',
    millis,
  };
}

function matches(line: LogLine, filter: LogFilter): boolean {
  if (filter === 'all') return true;
  if ('skipped' in line) return false;
  if (filter === 'failures') return line.name === 'oom';
  return line.name.startsWith('segment') === (filter === 'segments') && !['oom', 'snapshot'].includes(line.name);
}
