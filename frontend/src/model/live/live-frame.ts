/** Bytes in a frame: a number below 2^53, a hex string above. */
type Bytes = number | string;

/** The changes of a live allocator between two versions; FrameWriter.java documents the format. */
export interface RawFrame {
  readonly v: number;
  /** 0: the frame contains the full state. */
  readonly from: number;
  readonly now: number;
  readonly events: number;
  readonly dropped: number;
  readonly gaps: number;
  readonly shortLived: number;
  readonly lost?: string;
  readonly levels: readonly Bytes[];
  readonly device: readonly (Bytes | null)[];
  /** Items of the ledger; null where unknown. Items of 0 bytes are omitted. */
  readonly ledger?: Readonly<Record<string, Bytes | null>>;
  /** Parts of the memory outside the allocator, unless the device is exclusive. */
  readonly outside?: Readonly<Record<string, Bytes | null>>;
  readonly pools?: readonly (readonly [name: string, large: number])[];
  readonly sites?: readonly [first: number, ...names: string[]];
  readonly removed?: readonly number[];
  readonly segments: readonly RawSegment[];
  readonly points: readonly (readonly Bytes[])[];
  readonly log: readonly RawEvent[];
}

export type RawSegment = readonly [
  id: number,
  address: string,
  bytes: Bytes,
  stream: number,
  pool: number,
  expandable: number,
  blocks: readonly Bytes[],
];

export type RawEvent = readonly [
  number: number,
  code: number,
  address: string,
  bytes: Bytes,
  extra: Bytes,
  stream: number,
  pool: number,
  site: number,
  millis: number,
];

export function bytesOf(bytes: Bytes | null | undefined): number {
  return bytes === null || bytes === undefined ? NaN : Number(bytes);
}

/** A segment with its active blocks in address order; the memory between them is inactive. */
export interface LiveSegment {
  readonly id: number;
  readonly address: bigint;
  readonly bytes: number;
  readonly stream: number;
  readonly pool: number;
  readonly expandable: boolean;
  /** For each block: offset in the segment, size, requested size, and index of the allocation site. */
  readonly start: Float64Array;
  readonly size: Float64Array;
  readonly requested: Float64Array;
  readonly site: Int32Array;
  /** For each block: the streams that delay its free, or null while it is allocated. */
  readonly awaited: readonly (readonly number[] | null)[];
}

export function decodeSegment(raw: RawSegment): LiveSegment {
  const [id, address, bytes, stream, pool, expandable, blocks] = raw;
  const start: number[] = [];
  const size: number[] = [];
  const requested: number[] = [];
  const site: number[] = [];
  const awaited: (readonly number[] | null)[] = [];
  let at = 0;
  for (let i = 0; i < blocks.length;) {
    at += bytesOf(blocks[i++]);
    const blockBytes = bytesOf(blocks[i++]);
    start.push(at);
    size.push(blockBytes);
    requested.push(blockBytes - bytesOf(blocks[i++]));
    site.push(bytesOf(blocks[i++]));
    const streams = bytesOf(blocks[i++]);
    awaited.push(streams < 0 ? null : blocks.slice(i, i + streams).map(Number));
    i += Math.max(0, streams);
    at += blockBytes;
  }
  return {
    id,
    address: BigInt(address),
    bytes: bytesOf(bytes),
    stream,
    pool,
    expandable: expandable === 1,
    start: Float64Array.from(start),
    size: Float64Array.from(size),
    requested: Float64Array.from(requested),
    site: Int32Array.from(site),
    awaited,
  };
}
