import { intAt, numberAt } from '../base/at';
import { Columns, InvalidColumnsError } from './columns';
import type { AllocationRectangles } from './timeline';

/** What is too thin to draw, as sums by strip: parallel arrays. */
export interface StripSums {
  readonly strip: Int32Array;
  readonly column0: Int32Array;
  readonly column1: Int32Array;
  readonly bytes: Float64Array;
}

/**
 * Segments over the events `from` to `to`: a lane per segment, in address order. `height` is the height in pixels that
 * was asked for; positions and heights of lanes are in these pixels. Columns are sampled as in Timeline. The per-lane
 * arrays, the per-run arrays, those of held memory and those of blocks are parallel.
 */
export interface SegmentTimeline extends AllocationRectangles {
  readonly height: number;
  readonly eventCount: number;
  readonly allocationCount: number;
  readonly drawnCount: number;
  /** Allocations too thin to draw; they are in `thin`. */
  readonly thinCount: number;
  /** Allocations that are in no known segment. */
  readonly outsideCount: number;
  /** Segments that were held only between two sampled events. */
  readonly unsampledSegmentCount: number;
  readonly streams: readonly string[];
  readonly pools: readonly string[];

  readonly laneAddress: BigUint64Array;
  readonly laneBytes: Float64Array;
  readonly laneTop: Float64Array;
  readonly laneHeight: Float64Array;
  readonly lanePartCount: Int32Array;
  /** Indices into `streams` and `pools`; -1: several. */
  readonly laneStream: Int32Array;
  readonly lanePool: Int32Array;
  /** 0 small, 1 large, 2 both. */
  readonly laneKind: Uint8Array;
  readonly laneExpandable: Uint8Array;
  /** The lane of each strip, and its offsets in bytes. */
  readonly stripLane: Int32Array;
  readonly stripStart: Float64Array;
  readonly stripEnd: Float64Array;
  readonly partAddress: BigUint64Array;
  readonly partBytes: Float64Array;
  readonly partLane: Int32Array;

  readonly runLane: Int32Array;
  readonly runColumn: Int32Array;
  readonly runReserved: Float64Array;
  readonly runActive: Float64Array;
  readonly runLargestFree: Float64Array;

  readonly heldLane: Int32Array;
  readonly heldOffset: Float64Array;
  readonly heldBytes: Float64Array;
  readonly heldColumn0: Int32Array;
  readonly heldColumn1: Int32Array;
  readonly thinHeld: StripSums;
  readonly thin: StripSums;

  /** Lane, offset in it and bytes of each block. */
  readonly lane: Int32Array;
  readonly offset: Float64Array;
  readonly bytes: Float64Array;
  /** The first column in which the block waits for a stream. */
  readonly pendingColumn: Int32Array;
  readonly stack: Int32Array;

  /** Segment events of each column. */
  readonly acquiredCount: Int32Array;
  readonly acquiredBytes: Float64Array;
  readonly releasedCount: Int32Array;
  readonly releasedBytes: Float64Array;
}

const PER_LANE = ['laneAddress', 'laneTop', 'laneHeight', 'laneStrips', 'lanePartCount', 'laneStream', 'lanePool'];
const PER_RUN = ['runColumn', 'runReserved', 'runActive', 'runLargestFree'];
const PER_HELD = ['heldOffset', 'heldBytes', 'heldColumn0', 'heldColumn1'];
const PER_BLOCK = ['offset', 'bytes', 'column0', 'column1', 'pendingColumn', 'allocation', 'stack'];
const PER_COLUMN = ['acquiredCount', 'acquiredBytes', 'releasedCount', 'releasedBytes'];

/** Throws InvalidColumnsError if the response is malformed or inconsistent. */
export function decodeSegmentTimeline(buffer: ArrayBuffer): SegmentTimeline {
  const columns = Columns.decode(buffer);
  const width = columns.number('width');
  const laneBytes = columns.numbers('laneBytes');
  const lane = columns.ints('lane');
  const runLane = columns.ints('runLane');
  const heldLane = columns.ints('heldLane');
  columns.requireLength(laneBytes.length, [...PER_LANE, 'laneKind', 'laneExpandable']);
  columns.requireLength(runLane.length, PER_RUN);
  columns.requireLength(heldLane.length, PER_HELD);
  columns.requireLength(lane.length, PER_BLOCK);
  columns.requireLength(width, PER_COLUMN);
  for (const lanes of [lane, runLane, heldLane]) requireLanes(lanes, laneBytes.length);
  const laneTop = columns.numbers('laneTop');
  const laneHeight = columns.numbers('laneHeight');
  const offset = columns.numbers('offset');
  const bytes = columns.numbers('bytes');
  const strips = stripsOf(columns.ints('laneStrips'), laneBytes);
  return {
    eventCount: columns.number('eventCount'),
    from: columns.number('from'),
    to: columns.number('to'),
    width,
    height: columns.number('height'),
    allocationCount: columns.number('allocationCount'),
    drawnCount: columns.number('drawnCount'),
    thinCount: columns.number('thinCount'),
    outsideCount: columns.number('outsideCount'),
    unsampledSegmentCount: columns.number('unsampledSegmentCount'),
    streams: columns.list('streams').map(String),
    pools: columns.list('pools').map(String),
    laneAddress: columns.addresses('laneAddress'),
    laneBytes,
    laneTop,
    laneHeight,
    lanePartCount: columns.ints('lanePartCount'),
    laneStream: columns.ints('laneStream'),
    lanePool: columns.ints('lanePool'),
    laneKind: columns.bytes('laneKind'),
    laneExpandable: columns.bytes('laneExpandable'),
    ...strips,
    partAddress: columns.addresses('partAddress'),
    partBytes: columns.numbers('partBytes'),
    partLane: columns.ints('partLane'),
    runLane,
    runColumn: columns.ints('runColumn'),
    runReserved: columns.numbers('runReserved'),
    runActive: columns.numbers('runActive'),
    runLargestFree: columns.numbers('runLargestFree'),
    heldLane,
    heldOffset: columns.numbers('heldOffset'),
    heldBytes: columns.numbers('heldBytes'),
    heldColumn0: columns.ints('heldColumn0'),
    heldColumn1: columns.ints('heldColumn1'),
    thinHeld: stripSums(columns, 'thinHeld', strips.stripLane.length),
    thin: stripSums(columns, 'thin', strips.stripLane.length),
    lane,
    offset,
    bytes,
    column0: columns.ints('column0'),
    column1: columns.ints('column1'),
    pendingColumn: columns.ints('pendingColumn'),
    allocation: columns.ints('allocation'),
    stack: columns.ints('stack'),
    // Addresses grow downwards.
    bottom: offset.map(
      (at, i) =>
        -numberAt(laneTop, intAt(lane, i)) -
        ((at + numberAt(bytes, i)) / numberAt(laneBytes, intAt(lane, i))) * numberAt(laneHeight, intAt(lane, i)),
    ),
    acquiredCount: columns.ints('acquiredCount'),
    acquiredBytes: columns.numbers('acquiredBytes'),
    releasedCount: columns.ints('releasedCount'),
    releasedBytes: columns.numbers('releasedBytes'),
  };
}

function requireLanes(lanes: Int32Array, count: number): void {
  for (const lane of lanes) if (lane < 0 || lane >= count) throw new InvalidColumnsError(`Lane ${lane} of ${count}.`);
}

function stripSums(columns: Columns, prefix: string, stripCount: number): StripSums {
  const strip = columns.ints(`${prefix}Strip`);
  columns.requireLength(strip.length, [`${prefix}Column0`, `${prefix}Column1`, `${prefix}Bytes`]);
  for (const one of strip) {
    if (one < 0 || one >= stripCount) throw new InvalidColumnsError(`Strip ${one} of ${stripCount}.`);
  }
  return {
    strip,
    column0: columns.ints(`${prefix}Column0`),
    column1: columns.ints(`${prefix}Column1`),
    bytes: columns.numbers(`${prefix}Bytes`),
  };
}

/** Divides the lanes into strips of equal size, in whole bytes, as the server does. */
function stripsOf(laneStrips: Int32Array, laneBytes: Float64Array) {
  const count = laneStrips.reduce((sum, strips) => sum + strips, 0);
  const stripLane = new Int32Array(count);
  const stripStart = new Float64Array(count);
  const stripEnd = new Float64Array(count);
  let next = 0;
  for (const [lane, strips] of laneStrips.entries()) {
    const bytes = numberAt(laneBytes, lane);
    for (let i = 0; i < strips; i++, next++) {
      stripLane[next] = lane;
      stripStart[next] = Math.floor((bytes / strips) * i);
      stripEnd[next] = i + 1 === strips ? bytes : Math.floor((bytes / strips) * (i + 1));
    }
  }
  return { stripLane, stripStart, stripEnd };
}
