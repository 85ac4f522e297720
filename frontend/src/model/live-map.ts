import type { LiveSegment } from './live-frame';
import type { LiveState } from './live-state';
import { ALLOCATED, INACTIVE, type MemoryMap, PENDING } from './memory-map';

/** The picture of a live allocator's memory: a map as snapshots have it, and what only a live one knows. */
export interface LiveMap {
  readonly map: MemoryMap;
  /** Row of each segment in the map, by its number in the feed. */
  readonly rows: ReadonlyMap<number, number>;
  /** Blocks of the map that wait, and for which streams. */
  readonly awaited: ReadonlyMap<number, readonly number[]>;
}

/** Blocks of the map have their site in the program for a stack. */
export function liveMapOf(state: LiveState): LiveMap {
  const segments = [...state.segments.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
  const streams = [...new Set(segments.map((segment) => segment.stream))].sort((one, other) => one - other);
  const pools = [...new Set(state.pools.map((pool) => pool.name))];
  const firstBlock = new Int32Array(segments.length + 1);
  for (const [s, segment] of segments.entries()) firstBlock[s + 1] = firstBlock[s] + pieceCount(segment);
  const count = firstBlock[segments.length];
  const blockAddress = new BigUint64Array(count);
  const blockBytes = new Float64Array(count);
  const requested = new Float64Array(count).fill(NaN);
  const state8 = new Uint8Array(count).fill(INACTIVE);
  const stack = new Int32Array(count).fill(-1);
  const awaited = new Map<number, readonly number[]>();
  let b = 0;
  for (const segment of segments) {
    let end = 0;
    const piece = (from: number, bytes: number) => {
      blockAddress[b] = segment.address + BigInt(from);
      blockBytes[b] = bytes;
      end = from + bytes;
      return b++;
    };
    for (let i = 0; i < segment.start.length; i++) {
      if (segment.start[i] > end) piece(end, segment.start[i] - end);
      const block = piece(segment.start[i], segment.size[i]);
      const streamsOf = segment.awaited[i];
      requested[block] = segment.requested[i];
      state8[block] = streamsOf === null ? ALLOCATED : PENDING;
      stack[block] = segment.site[i];
      if (streamsOf !== null) awaited.set(block, streamsOf);
    }
    if (end < segment.bytes) piece(end, segment.bytes - end);
  }
  const map: MemoryMap = {
    reservedBytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    pools,
    streams: streams.map(String),
    address: BigUint64Array.from(segments.map((segment) => segment.address)),
    bytes: Float64Array.from(segments.map((segment) => segment.bytes)),
    stream: Int32Array.from(segments.map((segment) => streams.indexOf(segment.stream))),
    pool: Int32Array.from(segments.map((segment) => pools.indexOf(state.pools[segment.pool].name))),
    kind: Uint8Array.from(segments.map((segment) => (state.pools[segment.pool].large ? 1 : 0))),
    expandable: Uint8Array.from(segments.map((segment) => (segment.expandable ? 1 : 0))),
    firstBlock,
    blockAddress,
    blockBytes,
    requested,
    state: state8,
    stack,
  };
  return { map, rows: new Map(segments.map((segment, row) => [segment.id, row])), awaited };
}

/** Blocks and the inactive pieces between, before and after them. */
function pieceCount(segment: LiveSegment): number {
  let count = segment.start.length;
  let end = 0;
  for (let i = 0; i < segment.start.length; i++) {
    if (segment.start[i] > end) count++;
    end = segment.start[i] + segment.size[i];
  }
  return end < segment.bytes ? count + 1 : count;
}
