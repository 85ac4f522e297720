import { byteAt, intAt, numberAt, wordAt } from '../base/at';
import { streamText } from '../base/numbers';
import { type ColourGroups, groupsOf } from './colour-by';
import { InvalidColumnsError, Columns } from './columns';

/** Values of column `state`; test/fixtures/wire-enums.json lists them. */
export const ALLOCATED = 0;
export const PENDING = 1;
export const INACTIVE = 2;
/** Display names, indexed by state. */
export const STATE_NAMES = ['allocated', 'pending free', 'inactive'] as const;

/** Values of column `kind`; test/fixtures/wire-enums.json lists them. */
export const SMALL = 0;
export const LARGE = 1;

/**
 * The segments of one device in address order, and their blocks. Segment s consists of the blocks firstBlock[s] to
 * firstBlock[s + 1] (exclusive), in address order and without gaps.
 */
export interface MemoryMap {
  /** Whether the allocator has regions, and one pool for all sizes and streams, as BFC. */
  readonly isBfc: boolean;
  readonly reservedBytes: number;
  readonly pools: readonly string[];
  readonly streams: readonly string[];

  readonly address: BigUint64Array;
  readonly bytes: Float64Array;
  /** Indices into `streams` and `pools`. */
  readonly stream: Int32Array;
  readonly pool: Int32Array;
  /** SMALL or LARGE. */
  readonly kind: Uint8Array;
  readonly expandable: Uint8Array;
  readonly firstBlock: Int32Array;

  readonly blockAddress: BigUint64Array;
  readonly blockBytes: Float64Array;
  /** NaN where unknown. */
  readonly requested: Float64Array;
  readonly state: Uint8Array;
  /** Index in the stack table, -1 if no stack was recorded. */
  readonly stack: Int32Array;
}

/** The map of a stored snapshot. */
export interface SnapshotMap extends MemoryMap {
  /** Row of the allocation that holds the block; -1 for an inactive block. */
  readonly allocation: Int32Array;
  /** Number of blocks whose size is a lower bound; 0 for the recorded state at the end. */
  readonly estimatedBlockCount: number;
  /** The groups of blocks that colours show, or null; inactive blocks are in none. */
  readonly groups: ColourGroups | null;
  /** What contradicts the events. */
  readonly notes: readonly string[];
}

/** Throws InvalidColumnsError if the response is malformed or inconsistent. */
export function decodeMemoryMap(buffer: ArrayBuffer): SnapshotMap {
  const columns = Columns.decode(buffer);
  const address = columns.addresses('address');
  const blockAddress = columns.addresses('blockAddress');
  const firstBlock = columns.ints('firstBlock');
  columns.requireLength(address.length, ['bytes', 'stream', 'pool', 'kind', 'expandable']);
  columns.requireLength(address.length + 1, ['firstBlock']);
  columns.requireLength(blockAddress.length, ['blockBytes', 'requested', 'state', 'stack', 'allocation']);
  for (let s = 0; s < address.length; s++) {
    if (intAt(firstBlock, s + 1) < intAt(firstBlock, s))
      throw new InvalidColumnsError(`Segment ${s} has a negative number of blocks.`);
  }
  if (firstBlock[0] !== 0 || firstBlock[address.length] !== blockAddress.length) {
    throw new InvalidColumnsError(
      `The segments contain ${firstBlock[address.length]} of ${blockAddress.length} blocks.`,
    );
  }
  const state = columns.bytes('state');
  const unknown = state.findIndex((each) => each > INACTIVE);
  if (unknown >= 0) throw new InvalidColumnsError(`Block ${unknown} has the unknown state ${state[unknown]}.`);
  return {
    isBfc: columns.text('allocator') === 'bfc',
    reservedBytes: columns.number('reservedBytes'),
    pools: columns.list('pools').map(String),
    streams: columns.list('streams').map((stream) => streamText(Number(stream))),
    address,
    bytes: columns.numbers('bytes'),
    stream: columns.ints('stream'),
    pool: columns.ints('pool'),
    kind: columns.bytes('kind'),
    expandable: columns.bytes('expandable'),
    firstBlock,
    blockAddress,
    blockBytes: columns.numbers('blockBytes'),
    requested: columns.numbers('requested'),
    state,
    stack: columns.ints('stack'),
    allocation: columns.ints('allocation'),
    groups: groupsOf(columns, blockAddress.length),
    estimatedBlockCount: columns.number('estimatedBlockCount'),
    notes: columns.list('notes').map(String),
  };
}

/** What the allocator calls a segment. */
export function segmentName(map: MemoryMap): string {
  return map.isBfc ? 'region' : 'segment';
}

/** Bytes by state, and the rounding overhead of allocated blocks (NaN if no block has a requested size). */
export interface MapTotals {
  readonly allocated: number;
  readonly pending: number;
  readonly inactive: number;
  readonly rounding: number;
}

export function totalsOf(map: MemoryMap): MapTotals {
  const sums = new Float64Array(STATE_NAMES.length);
  let rounding = NaN;
  for (let b = 0; b < map.state.length; b++) {
    const state = byteAt(map.state, b);
    sums[state] = numberAt(sums, state) + numberAt(map.blockBytes, b);
    if (state !== ALLOCATED || Number.isNaN(map.requested[b])) continue;
    rounding = (Number.isNaN(rounding) ? 0 : rounding) + numberAt(map.blockBytes, b) - numberAt(map.requested, b);
  }
  const [allocated = NaN, pending = NaN, inactive = NaN] = sums;
  return { allocated, pending, inactive, rounding };
}

/** The segment that contains block `block`. */
export function segmentOf(map: MemoryMap, block: number): number {
  let low = 0;
  let high = map.address.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (intAt(map.firstBlock, middle) <= block) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The block that starts at `address`, or null. */
export function blockAt(map: MemoryMap, address: bigint): number | null {
  const block = map.blockAddress.indexOf(address);
  return block < 0 ? null : block;
}

/** Consecutive bytes. */
export interface AddressRange {
  readonly address: bigint;
  readonly bytes: number;
}

/** The block with the byte at `address`, or null if no segment has it. */
export function blockContaining(map: MemoryMap, address: bigint): number | null {
  const segment = segmentContaining(map, address);
  if (segment === null) return null;
  let block = intAt(map.firstBlock, segment);
  while (block + 1 < intAt(map.firstBlock, segment + 1) && wordAt(map.blockAddress, block + 1) <= address) block++;
  return block;
}

/** The segment with the byte at `address`, or null. */
export function segmentContaining(map: MemoryMap, address: bigint): number | null {
  for (let s = 0; s < map.address.length; s++) {
    const offset = Number(address - wordAt(map.address, s));
    if (offset >= 0 && offset < numberAt(map.bytes, s)) return s;
  }
  return null;
}

/** Inactive bytes directly before and after `block` in its segment. */
export function adjacentFreeBytes(map: MemoryMap, block: number): { before: number; after: number } {
  const segment = segmentOf(map, block);
  let before = 0;
  let after = 0;
  for (let b = block - 1; b >= intAt(map.firstBlock, segment) && map.state[b] === INACTIVE; b--)
    before += numberAt(map.blockBytes, b);
  for (let b = block + 1; b < intAt(map.firstBlock, segment + 1) && map.state[b] === INACTIVE; b++)
    after += numberAt(map.blockBytes, b);
  return { before, after };
}

/** Inactive bytes of segment `segment`. */
export function inactiveBytesOf(map: MemoryMap, segment: number): number {
  let free = 0;
  for (let b = intAt(map.firstBlock, segment); b < intAt(map.firstBlock, segment + 1); b++) {
    if (byteAt(map.state, b) === INACTIVE) free += numberAt(map.blockBytes, b);
  }
  return free;
}
