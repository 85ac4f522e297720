import { intAt, itemAt, numberAt } from '../../base/at';
import { streamText } from '../../base/numbers';
import type { LiveSegment } from './live-frame';
import type { LiveState } from './live-state';
import { ALLOCATED, INACTIVE, LARGE, type MemoryMap, PENDING, SMALL } from '../memory-map';

/** The memory map of a live allocator, with data that snapshots do not have. */
export interface LiveMap {
  readonly map: MemoryMap;
  /** Index of each segment in the map, by its id in the feed. */
  readonly rows: ReadonlyMap<number, number>;
  /** The pending blocks of the map and the streams that each waits for. */
  readonly awaited: ReadonlyMap<number, readonly number[]>;
}

/** Column `stack` of the map holds indices of allocation sites. */
export function liveMapOf(state: LiveState): LiveMap {
  const segments = [...state.segments.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
  const streams = [...new Set(segments.map((segment) => segment.stream))].sort((one, other) => one - other);
  const pools = [...new Set(state.pools.map((pool) => pool.name))];
  const firstBlock = new Int32Array(segments.length + 1);
  for (const [s, segment] of segments.entries()) firstBlock[s + 1] = intAt(firstBlock, s) + blockCount(segment);
  const count = intAt(firstBlock, segments.length);
  const blockAddress = new BigUint64Array(count);
  const blockBytes = new Float64Array(count);
  const requested = new Float64Array(count).fill(NaN);
  const states = new Uint8Array(count).fill(INACTIVE);
  const stack = new Int32Array(count).fill(-1);
  const awaited = new Map<number, readonly number[]>();
  let b = 0;
  for (const segment of segments) {
    let end = 0;
    const addBlock = (from: number, bytes: number) => {
      blockAddress[b] = segment.address + BigInt(from);
      blockBytes[b] = bytes;
      end = from + bytes;
      return b++;
    };
    for (let i = 0; i < segment.start.length; i++) {
      if (numberAt(segment.start, i) > end) addBlock(end, numberAt(segment.start, i) - end);
      const block = addBlock(numberAt(segment.start, i), numberAt(segment.size, i));
      const awaitedStreams = segment.awaited[i] ?? null;
      requested[block] = numberAt(segment.requested, i);
      states[block] = awaitedStreams === null ? ALLOCATED : PENDING;
      stack[block] = intAt(segment.site, i);
      if (awaitedStreams !== null) awaited.set(block, awaitedStreams);
    }
    if (end < segment.bytes) addBlock(end, segment.bytes - end);
  }
  const map: MemoryMap = {
    isBfc: false,
    reservedBytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    pools,
    streams: streams.map(streamText),
    address: BigUint64Array.from(segments.map((segment) => segment.address)),
    bytes: Float64Array.from(segments.map((segment) => segment.bytes)),
    stream: Int32Array.from(segments.map((segment) => streams.indexOf(segment.stream))),
    pool: Int32Array.from(segments.map((segment) => pools.indexOf(itemAt(state.pools, segment.pool).name))),
    kind: Uint8Array.from(segments.map((segment) => (itemAt(state.pools, segment.pool).large ? LARGE : SMALL))),
    expandable: Uint8Array.from(segments.map((segment) => (segment.expandable ? 1 : 0))),
    firstBlock,
    blockAddress,
    blockBytes,
    requested,
    state: states,
    stack,
  };
  return { map, rows: new Map(segments.map((segment, row) => [segment.id, row])), awaited };
}

/** The number of active blocks and of the inactive ones between, before and after them. */
function blockCount(segment: LiveSegment): number {
  let count = segment.start.length;
  let end = 0;
  for (let i = 0; i < segment.start.length; i++) {
    if (numberAt(segment.start, i) > end) count++;
    end = numberAt(segment.start, i) + numberAt(segment.size, i);
  }
  return end < segment.bytes ? count + 1 : count;
}
