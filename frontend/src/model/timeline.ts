import { BrokenColumns, Columns } from './columns';

/** A request that failed for lack of memory, as the trace tells it. */
export interface OomMark {
  readonly event: number;
  readonly requestedBytes: number;
  /** NaN when the trace does not say. */
  readonly deviceFreeBytes: number;
}

/**
 * Active memory over the events `from` (inclusive) to `to` (exclusive), as `width` pixel columns and the rectangles of
 * the allocations that are thick enough to see. Column c covers the events from `from + c·(to−from)/width` on and is
 * sampled where active bytes are highest, so no peak is missed. The per-rectangle arrays are parallel.
 */
export interface Timeline {
  readonly eventCount: number;
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** Highest active bytes of the whole trace, and the event that reached them. */
  readonly peakBytes: number;
  readonly peakEvent: number;
  readonly windowPeakBytes: number;
  /** Bytes that were alive before the first event. */
  readonly baselineBytes: number;
  /** When the first event was, on the clock of the trace; NaN where it has no times. */
  readonly firstTimeMicros: number;
  readonly ooms: readonly OomMark[];
  readonly allocationCount: number;
  /** Allocations too thin to draw; together they are the band `rest`. */
  readonly summarizedCount: number;
  readonly reservedKnown: boolean;

  readonly event: Int32Array;
  readonly activeMax: Float64Array;
  readonly activeMin: Float64Array;
  /** NaN where not known. */
  readonly reserved: Float64Array;
  /** Since the first event; NaN where the trace has no times. */
  readonly micros: Float64Array;
  readonly rest: Float64Array;

  readonly column0: Int32Array;
  readonly column1: Int32Array;
  /** Columns of the whole life that a rectangle is a piece of, as far as it is within the window. */
  readonly lifeColumns: Int32Array;
  readonly bottom: Float64Array;
  readonly bytes: Float64Array;
  /** Row in the server's table of lifetimes. */
  readonly allocation: Int32Array;
  /** What rectangles of one colour share: the stack that allocated them. */
  readonly stack: Int32Array;
}

const PER_COLUMN = ['event', 'activeMax', 'activeMin', 'reserved', 'micros', 'rest'];
const PER_RECTANGLE = ['column0', 'column1', 'bottom', 'bytes', 'allocation'];

/** Throws BrokenColumns when the answer contradicts itself. */
export function decodeTimeline(buffer: ArrayBuffer): Timeline {
  const columns = Columns.decode(buffer);
  const from = columns.number('from');
  const to = columns.number('to');
  const width = columns.number('width');
  if (!(to >= from) || width < 0) throw new BrokenColumns(`Events ${from} to ${to} in ${width} columns.`);
  columns.requireLength(width, PER_COLUMN);
  const allocation = columns.ints('allocation');
  columns.requireLength(allocation.length, PER_RECTANGLE);
  const column0 = columns.ints('column0');
  const column1 = columns.ints('column1');
  for (let i = 0; i < column0.length; i++) {
    if (column0[i] < 0 || column1[i] <= column0[i] || column1[i] > width) {
      throw new BrokenColumns(`Rectangle ${i} covers columns ${column0[i]} to ${column1[i]} of ${width}.`);
    }
  }
  return {
    eventCount: columns.number('eventCount'),
    from,
    to,
    width,
    peakBytes: columns.number('peakBytes'),
    peakEvent: columns.numberOrNaN('peakEvent'),
    windowPeakBytes: columns.number('windowPeakBytes'),
    baselineBytes: columns.number('baselineBytes'),
    firstTimeMicros: columns.numberOrNaN('firstTimeMicros'),
    ooms: columns.list('ooms').map(oomMark),
    allocationCount: columns.number('allocationCount'),
    summarizedCount: columns.number('summarizedCount'),
    reservedKnown: columns.facts['reservedKnown'] === true,
    event: columns.ints('event'),
    activeMax: columns.numbers('activeMax'),
    activeMin: columns.numbers('activeMin'),
    reserved: columns.numbers('reserved'),
    micros: columns.numbers('micros'),
    rest: columns.numbers('rest'),
    column0,
    column1,
    lifeColumns: lifeColumns(allocation, column0, column1),
    bottom: columns.numbers('bottom'),
    bytes: columns.numbers('bytes'),
    allocation,
    stack: columns.has('stack') ? columns.ints('stack') : allocation,
  };
}

/** A life whose bottom moved is several rectangles: the sum of their columns, for each of them. */
function lifeColumns(allocation: Int32Array, column0: Int32Array, column1: Int32Array): Int32Array {
  const sums = new Map<number, number>();
  for (let i = 0; i < allocation.length; i++) {
    sums.set(allocation[i], (sums.get(allocation[i]) ?? 0) + column1[i] - column0[i]);
  }
  return allocation.map((row) => sums.get(row) ?? 0);
}

function oomMark(entry: unknown): OomMark {
  const oom = entry as { event?: unknown; requestedBytes?: unknown; deviceFreeBytes?: unknown } | null;
  if (typeof oom?.event !== 'number') throw new BrokenColumns(`An OOM without an event: ${JSON.stringify(entry)}.`);
  return {
    event: oom.event,
    requestedBytes: typeof oom.requestedBytes === 'number' ? oom.requestedBytes : NaN,
    deviceFreeBytes: typeof oom.deviceFreeBytes === 'number' ? oom.deviceFreeBytes : NaN,
  };
}

/** The first event of pixel column `column`; `width` gives the end of the last. */
export function eventOfColumn(timeline: Timeline, column: number): number {
  return timeline.from + Math.floor((column * (timeline.to - timeline.from)) / Math.max(1, timeline.width));
}

/** When `event` was, in µs after the first one, between the sampled events by proportion; NaN where times are missing. */
export function microsAt(timeline: Timeline, event: number): number {
  const { event: sampled, micros, width } = timeline;
  const after = firstFrom(sampled, event);
  if (after === width) return width > 0 ? micros[width - 1] : NaN;
  if (sampled[after] === event) return micros[after];
  // Left of the first sample only the start of the trace is known: event 0 at 0 µs.
  const [event0, micros0] = after > 0 ? [sampled[after - 1], micros[after - 1]] : [0, 0];
  if (timeline.from > 0 && after === 0) return micros[0];
  return micros0 + ((micros[after] - micros0) * (event - event0)) / (sampled[after] - event0);
}

/** The first index of ascending `values` that holds `value` or more. */
function firstFrom(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pixel column that shows `event`, or -1 outside the timeline. */
export function columnOfEvent(timeline: Timeline, event: number): number {
  if (event < timeline.from || event >= timeline.to || timeline.width === 0) return -1;
  const about = Math.floor(((event - timeline.from) * timeline.width) / (timeline.to - timeline.from));
  const column = Math.min(timeline.width - 1, about);
  // Columns start at whole events, so the proportion may be one short.
  return column + 1 < timeline.width && eventOfColumn(timeline, column + 1) <= event ? column + 1 : column;
}
