import { bytesOf, type RawEvent, type RawFrame } from './live-frame';

/** Kinds by their number in frames (AllocatorEvent.java); the words are PyTorch's. */
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
  'annotate',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const LOG_FILTERS = ['all', 'blocks', 'segments', 'failures'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

export interface LiveEvent {
  readonly number: number;
  readonly name: EventName;
  readonly address: string;
  readonly bytes: number;
  /** Of an allocation the block's bytes, of a failure what the device had free. */
  readonly extra: number;
  readonly stream: number;
  readonly site: string;
  readonly millis: number;
}

/** A line of the log: an event, or how many there was no room for. */
export type LogLine = LiveEvent | { readonly skipped: number };

const MOST_LINES = 400;
const MOST_FAILURES = 50;

/** The events that can be read, newest last, with the count of those between that cannot. */
export class LiveLog {
  readonly lines: LogLine[] = [];
  /** When the latest requests failed, on the feed's clock. */
  readonly failures: number[] = [];
  private lastNumber = 0;

  follow(frame: RawFrame, sites: readonly string[]): void {
    if (frame.from === 0) {
      // The first frame comes with the last events; how many there were before is not told.
      this.lines.length = 0;
      this.failures.length = 0;
      this.lastNumber = frame.log.length > 0 ? frame.log[0][0] - 1 : frame.events;
    }
    for (const raw of frame.log) {
      const event = eventOf(raw, sites);
      this.skip(event.number - this.lastNumber - 1 - this.impliedCount());
      this.lines.push(event);
      if (event.name === 'oom') this.failures.push(event.millis);
      this.lastNumber = event.number;
    }
    this.skip(frame.events - this.lastNumber - this.impliedCount());
    this.lastNumber = frame.events;
    if (this.failures.length > MOST_FAILURES) this.failures.splice(0, this.failures.length - MOST_FAILURES);
    if (this.lines.length > MOST_LINES) this.lines.splice(0, this.lines.length - MOST_LINES);
  }

  /** A free that completes at once is told as one event and counted as two. */
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

  /** The last `count` lines that pass, oldest first. With a filter the skipped ones are left out. */
  last(count: number, filter: LogFilter): LogLine[] {
    return this.lines.filter((line) => passes(line, filter)).slice(-count);
  }
}

function eventOf(raw: RawEvent, sites: readonly string[]): LiveEvent {
  const [number, kind, address, bytes, extra, stream, , site, millis] = raw;
  return {
    number,
    name: EVENT_NAMES[kind] ?? 'annotate',
    address,
    bytes: bytesOf(bytes),
    extra: bytesOf(extra),
    stream,
    site: sites[site] ?? '',
    millis,
  };
}

function passes(line: LogLine, filter: LogFilter): boolean {
  if (filter === 'all') return true;
  if ('skipped' in line) return false;
  if (filter === 'failures') return line.name === 'oom';
  return line.name.startsWith('segment') === (filter === 'segments') && !['oom', 'snapshot'].includes(line.name);
}
