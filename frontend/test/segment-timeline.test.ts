import { numberAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import type { Column } from '../src/model/columns';
import { addressAt, lanePointAt, laneStateAt } from '../src/model/segment-lanes';
import { decodeSegmentTimeline } from '../src/model/segment-timeline';
import { encodeColumns } from './encode';

const MIB = 2 ** 20;

/** Two lanes on 100 pixels: a segment of 20 MiB, and two neighbours of 2 MiB each. */
function response(changes: Record<string, Column> = {}): ArrayBuffer {
  const header = {
    eventCount: 40,
    from: 0,
    to: 40,
    width: 10,
    height: 100,
    allocationCount: 3,
    drawnCount: 2,
    thinCount: 1,
    outsideCount: 0,
    unsampledSegmentCount: 0,
    streams: [0],
    pools: ['(0, 0)'],
  };
  return encodeColumns(header, {
    laneAddress: BigUint64Array.of(0x7f00_0000_0000n, 0x7f10_0000_0000n),
    laneBytes: Float64Array.of(20 * MIB, 4 * MIB),
    laneTop: Float64Array.of(0, 80),
    laneHeight: Float64Array.of(80, 20),
    laneStrips: Int32Array.of(20, 3),
    lanePartCount: Int32Array.of(1, 2),
    laneStream: Int32Array.of(0, 0),
    lanePool: Int32Array.of(0, 0),
    laneKind: Uint8Array.of(1, 0),
    laneExpandable: Uint8Array.of(0, 0),
    partAddress: BigUint64Array.of(0x7f00_0000_0000n, 0x7f10_0000_0000n, 0x7f20_0000_0000n),
    partBytes: Float64Array.of(20 * MIB, 2 * MIB, 2 * MIB),
    partLane: Int32Array.of(0, 1, 1),
    runLane: Int32Array.of(0, 1, 0),
    runColumn: Int32Array.of(0, 2, 5),
    runReserved: Float64Array.of(20 * MIB, 4 * MIB, 20 * MIB),
    runActive: Float64Array.of(0, 512, 8 * MIB),
    runLargestFree: Float64Array.of(20 * MIB, 2 * MIB, 12 * MIB),
    heldLane: Int32Array.of(0),
    heldOffset: Float64Array.of(0),
    heldBytes: Float64Array.of(20 * MIB),
    heldColumn0: Int32Array.of(0),
    heldColumn1: Int32Array.of(10),
    ...thin('thinHeld', 22, 2 * MIB),
    ...thin('thin', 20, 512),
    lane: Int32Array.of(0, 0),
    offset: Float64Array.of(0, 10 * MIB),
    bytes: Float64Array.of(5 * MIB, 5 * MIB),
    column0: Int32Array.of(5, 2),
    column1: Int32Array.of(10, 4),
    pendingColumn: Int32Array.of(8, 4),
    allocation: Int32Array.of(7, 9),
    stack: Int32Array.of(1, -1),
    acquiredCount: new Int32Array(10),
    acquiredBytes: new Float64Array(10),
    releasedCount: new Int32Array(10),
    releasedBytes: new Float64Array(10),
    ...changes,
  });
}

function thin(prefix: string, strip: number, bytes: number): Record<string, Column> {
  return {
    [`${prefix}Strip`]: Int32Array.of(strip),
    [`${prefix}Column0`]: Int32Array.of(2),
    [`${prefix}Column1`]: Int32Array.of(10),
    [`${prefix}Bytes`]: Float64Array.of(bytes),
  };
}

describe('segments over time', () => {
  const timeline = decodeSegmentTimeline(response());

  it('divide each lane into strips without gaps', () => {
    expect([...timeline.stripLane].filter((lane) => lane === 1)).toHaveLength(3);
    expect(timeline.stripStart[20]).toBe(0);
    for (let strip = 21; strip < 23; strip++) expect(timeline.stripStart[strip]).toBe(timeline.stripEnd[strip - 1]);
    expect(timeline.stripEnd[22]).toBe(4 * MIB);
  });

  it('find the block at a point, at its event only', () => {
    expect(lanePointAt(timeline, 24, 0.1)).toMatchObject({ lane: 0, column: 6, block: 0 });
    expect(lanePointAt(timeline, 4, 0.1)).toMatchObject({ lane: 0, block: -1 });
    expect(lanePointAt(timeline, 9, 0.5)).toMatchObject({ lane: 0, block: 1 });
    expect(lanePointAt(timeline, 24, 0.9)).toMatchObject({ lane: 1, offset: 2 * MIB, block: -1 });
    expect(lanePointAt(timeline, 24, 1.1)).toBeNull();
  });

  it('give the bytes of a lane until its next run', () => {
    expect(laneStateAt(timeline, 0, 4)).toEqual({ reserved: 20 * MIB, active: 0, largestFree: 20 * MIB });
    expect(laneStateAt(timeline, 0, 5).active).toBe(8 * MIB);
    expect(laneStateAt(timeline, 1, 1)).toEqual({ reserved: 0, active: 0, largestFree: 0 });
  });

  it('give addresses across the parts of a lane', () => {
    expect(addressAt(timeline, 1, 512)).toBe(0x7f10_0000_0200n);
    expect(addressAt(timeline, 1, 2 * MIB)).toBe(0x7f20_0000_0000n);
  });

  it('order blocks by their position on the screen', () => {
    expect(timeline.bottom[0]).toBeGreaterThan(numberAt(timeline.bottom, 1));
  });

  it('reject lanes and strips that do not exist', () => {
    expect(() => decodeSegmentTimeline(response({ lane: Int32Array.of(0, 2) }))).toThrow('Lane 2 of 2');
    expect(() => decodeSegmentTimeline(response({ thinStrip: Int32Array.of(23) }))).toThrow('Strip 23 of 23');
    expect(() => decodeSegmentTimeline(response({ bytes: new Float64Array(1) }))).toThrow('bytes');
  });
});
