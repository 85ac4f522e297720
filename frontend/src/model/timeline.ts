import { intAt, numberAt } from '../base/at';
import { type ColourGroups, groupsOf } from './colour-by';
import { InvalidColumnsError, Columns } from './columns';
import { SumsByRow } from './sums-by-row';
import { edgesOf, type TimedColumns } from './time-scale';

/** An out-of-memory error recorded in the trace. */
export interface OomEvent {
  readonly event: number;
  readonly requestedBytes: number;
  /** NaN where the trace does not record it. */
  readonly deviceFreeBytes: number;
}

/** Events `from` (inclusive) to `to` (exclusive) as `width` pixel columns. */
export interface EventColumns {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** Columns of equal time; otherwise columns have equally many events. */
  readonly timed?: TimedColumns | null;
}

/** Whether times are a scale on which each event has one place. */
export type TimeOrder = 'ascending' | 'goes-back' | 'not-recorded';

/** Bytes of private pools by column, one pool after the other. */
export interface PoolBytes {
  readonly names: readonly string[];
  readonly reserved: Float64Array;
  readonly active: Float64Array;
}

/** The rectangles of a chart over events; the arrays are parallel. */
export interface AllocationRectangles extends EventColumns {
  readonly column0: Int32Array;
  readonly column1: Int32Array;
  /** Position of the lower edge: higher numbers are higher on the screen. */
  readonly bottom: Float64Array;
  /** Row in the server's lifetime table. */
  readonly allocation: Int32Array;
}

/**
 * Active memory of the events `from` (inclusive) to `to` (exclusive), as `width` pixel columns and one or more rectangles
 * for each allocation that is large enough to see. Column c covers the events from `from + c·(to−from)/width` on and is
 * sampled at its event with the most active bytes, so no peak is missed. The per-rectangle arrays are parallel.
 */
export interface Timeline extends AllocationRectangles {
  readonly eventCount: number;
  /** Highest active bytes of the whole trace, and the event that reached them. */
  readonly peakBytes: number;
  readonly peakEvent: number;
  readonly windowPeakBytes: number;
  /** Time of the first event on the trace's clock; NaN where the trace has no timestamps. */
  readonly firstTimeMicros: number;
  readonly ooms: readonly OomEvent[];
  /** Allocations of the range, at any width; those that are active only between sampled events are not drawn. */
  readonly allocationCount: number;
  readonly drawnCount: number;
  /** Allocations too small to draw individually; `rest` is the sum of their bytes. */
  readonly summarizedCount: number;
  /** Allocations with less bytes are in `rest`. */
  readonly leastBytes: number;
  readonly reservedKnown: boolean;
  readonly times: TimeOrder;

  readonly event: Int32Array;
  readonly activeMax: Float64Array;
  readonly activeMin: Float64Array;
  /** NaN where unknown. */
  readonly reserved: Float64Array;
  /** Time since the first event; NaN where the trace has no timestamps. */
  readonly micros: Float64Array;
  readonly rest: Float64Array;
  /** Bytes of the allocations from before the first event; they are below all others. */
  readonly liveBefore: Float64Array;

  /** For each rectangle: the number of columns that its allocation's lifetime covers within the window. */
  readonly lifetimeColumns: Int32Array;
  /** 1 where the rectangle before it is of the same allocation: it has moved in the stack. */
  readonly isContinued: Uint8Array;
  readonly bytes: Float64Array;
  /** The stack that allocated it; determines the colour. */
  readonly stack: Int32Array;
  /** Private pools, or null if there are none. */
  readonly pools: PoolBytes | null;
  /** What determines the colours instead, or null. */
  readonly groups: ColourGroups | null;
}

const PER_COLUMN = ['event', 'activeMax', 'activeMin', 'reserved', 'micros', 'rest', 'liveBefore'];
const PER_RECTANGLE = ['column0', 'column1', 'bottom', 'bytes', 'allocation'];

/** Throws InvalidColumnsError if the response is malformed or inconsistent. */
export function decodeTimeline(buffer: ArrayBuffer): Timeline {
  const columns = Columns.decode(buffer);
  const from = columns.number('from');
  const to = columns.number('to');
  const width = columns.number('width');
  if (!(to >= from) || width < 0) throw new InvalidColumnsError(`Events ${from} to ${to} in ${width} columns.`);
  columns.requireLength(width, PER_COLUMN);
  const allocation = columns.ints('allocation');
  columns.requireLength(allocation.length, PER_RECTANGLE);
  const column0 = columns.ints('column0');
  const column1 = columns.ints('column1');
  for (let i = 0; i < column0.length; i++) {
    if (intAt(allocation, i) < 0) throw new InvalidColumnsError(`Rectangle ${i} is of allocation ${allocation[i]}.`);
    if (intAt(column0, i) < 0 || intAt(column1, i) <= intAt(column0, i) || intAt(column1, i) > width) {
      throw new InvalidColumnsError(`Rectangle ${i} covers columns ${column0[i]} to ${column1[i]} of ${width}.`);
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
    firstTimeMicros: columns.numberOrNaN('firstTimeMicros'),
    ooms: columns.list('ooms').map(oomEvent),
    allocationCount: columns.number('allocationCount'),
    drawnCount: columns.number('drawnCount'),
    summarizedCount: columns.number('summarizedCount'),
    leastBytes: columns.numberOrNaN('leastBytes'),
    reservedKnown: columns.header['reservedKnown'] === true,
    times: timesOf(columns),
    timed: columns.has('start') ? timedOf(columns, width) : null,
    event: columns.ints('event'),
    activeMax: columns.numbers('activeMax'),
    activeMin: columns.numbers('activeMin'),
    reserved: columns.numbers('reserved'),
    micros: columns.numbers('micros'),
    rest: columns.numbers('rest'),
    liveBefore: columns.numbers('liveBefore'),
    column0,
    column1,
    ...joined(allocation, column0, column1),
    bottom: columns.numbers('bottom'),
    bytes: columns.numbers('bytes'),
    allocation,
    stack: columns.has('stack') ? columns.ints('stack') : allocation,
    pools: columns.has('poolReserved') ? poolsOf(columns, width) : null,
    groups: groupsOf(columns, allocation.length),
  };
}

function poolsOf(columns: Columns, width: number): PoolBytes {
  const names = columns.list('privatePools').map(String);
  columns.requireLength(names.length * width, ['poolReserved', 'poolActive']);
  return { names, reserved: columns.numbers('poolReserved'), active: columns.numbers('poolActive') };
}

function timesOf({ header }: Columns): TimeOrder {
  return header['times'] === 'ascending' || header['times'] === 'goes-back' ? header['times'] : 'not-recorded';
}

function timedOf(columns: Columns, width: number): TimedColumns | null {
  columns.requireLength(width + 1, ['start']);
  const [fromMicros, toMicros] = [columns.number('fromMicros'), columns.number('toMicros')];
  return width > 0 ? { edge: edgesOf(columns.ints('start')), fromMicros, toMicros } : null;
}

const columnSums = new SumsByRow();

/**
 * For each rectangle, the total columns of all rectangles of the same allocation, and whether it continues another one.
 * The rectangles of an allocation are in the order of their columns.
 */
function joined(allocation: Int32Array, column0: Int32Array, column1: Int32Array) {
  const isContinued = new Uint8Array(allocation.length);
  columnSums.reset(allocation.length);
  for (let i = 0; i < allocation.length; i++) {
    isContinued[i] = columnSums.of(intAt(allocation, i)) > 0 ? 1 : 0;
    columnSums.add(intAt(allocation, i), intAt(column1, i) - intAt(column0, i));
  }
  return { lifetimeColumns: allocation.map((row) => columnSums.of(row)), isContinued };
}

function oomEvent(entry: unknown): OomEvent {
  const oom = entry as { event?: unknown; requestedBytes?: unknown; deviceFreeBytes?: unknown } | null;
  if (typeof oom?.event !== 'number')
    throw new InvalidColumnsError(`OOM entry without an event: ${JSON.stringify(entry)}.`);
  return {
    event: oom.event,
    requestedBytes: typeof oom.requestedBytes === 'number' ? oom.requestedBytes : NaN,
    deviceFreeBytes: typeof oom.deviceFreeBytes === 'number' ? oom.deviceFreeBytes : NaN,
  };
}

/**
 * The first event of pixel column `column`; `width` gives the end of the last. Of a column of time, the place where it
 * begins: between two events if it has none.
 */
export function eventOfColumn(timeline: EventColumns, column: number): number {
  if (timeline.timed) return numberAt(timeline.timed.edge, column);
  return timeline.from + Math.floor((column * (timeline.to - timeline.from)) / Math.max(1, timeline.width));
}

/** Time of `event` in µs after the first event, interpolated between samples; NaN where the trace has no timestamps. */
export function microsAt(timeline: Timeline, event: number): number {
  const { event: sampled, micros, width } = timeline;
  const after = lowerBound(sampled, event);
  if (after === width) return width > 0 ? numberAt(micros, width - 1) : NaN;
  if (sampled[after] === event) return numberAt(micros, after);
  // Before the first sample only the start of the trace is known: event 0 at 0 µs.
  const [event0, micros0] = after > 0 ? [intAt(sampled, after - 1), numberAt(micros, after - 1)] : [0, 0];
  if (timeline.from > 0 && after === 0) return numberAt(micros, 0);
  return micros0 + ((numberAt(micros, after) - micros0) * (event - event0)) / (intAt(sampled, after) - event0);
}

/** The index of the first of the ascending `values` that is at least `value`. */
function lowerBound(values: Int32Array | Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? NaN) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pixel column that shows `event`, or -1 outside the timeline. */
export function columnOfEvent(timeline: EventColumns, event: number): number {
  if (event < timeline.from || event >= timeline.to || timeline.width === 0) return -1;
  if (timeline.timed) return Math.max(0, lowerBound(timeline.timed.edge, event + 1e-9) - 1);
  const estimate = Math.floor(((event - timeline.from) * timeline.width) / (timeline.to - timeline.from));
  const column = Math.min(timeline.width - 1, estimate);
  // Columns start at whole events, so the estimate may be one too low.
  return column + 1 < timeline.width && eventOfColumn(timeline, column + 1) <= event ? column + 1 : column;
}
