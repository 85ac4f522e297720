import { byteAt, intAt, itemAt, numberAt, valueAt, wordAt } from '../base/at';
import { inactiveBytesOf, type MemoryMap, segmentName, segmentOf, SMALL } from './memory-map';

/** Order of the segments: grouped by pool and stream, by address, or by inactive bytes in descending order. */
export const ORDERS = ['pool', 'address', 'free'] as const;
export type Order = (typeof ORDERS)[number];

/** Consecutive segments without a line break between them; each group starts on its own line. */
export interface Group {
  readonly label: string;
  readonly segments: Int32Array;
  /** The byte offset of each segment in the group, and as an additional last entry the size of the group. */
  readonly starts: Float64Array;
}

export function groupsOf(map: MemoryMap, order: Order): Group[] {
  const all = Array.from(map.address.keys());
  if (order === 'address') return all.length === 0 ? [] : [group(map, `All ${segmentName(map)}s by address`, all)];
  if (order === 'free') {
    const free = all.map((segment) => inactiveBytesOf(map, segment));
    all.sort((one, other) => valueAt(free, other) - valueAt(free, one) || one - other);
    return all.length === 0 ? [] : [group(map, `The ${segmentName(map)}s with the most inactive bytes first`, all)];
  }
  const byKey = new Map<number, number[]>();
  const keyOf = (segment: number) =>
    (intAt(map.pool, segment) * map.streams.length + intAt(map.stream, segment)) * 2 + 1 - byteAt(map.kind, segment);
  for (const segment of all) {
    const key = keyOf(segment);
    const members = byKey.get(key);
    if (members === undefined) byKey.set(key, [segment]);
    else members.push(segment);
  }
  return [...byKey]
    .sort(([one], [other]) => one - other)
    .map(([, members]) => group(map, labelOf(map, itemAt(members, 0)), members));
}

function labelOf(map: MemoryMap, segment: number): string {
  if (map.isBfc) return 'one pool for all requests';
  const pool = map.pools[intAt(map.pool, segment)];
  const kind = map.kind[segment] === SMALL ? 'small' : 'large';
  const poolLabel = pool === '(0, 0)' ? `${kind} pool` : `private pool ${pool}, ${kind}`;
  return `${poolLabel} · stream ${map.streams[intAt(map.stream, segment)]}`;
}

function group(map: MemoryMap, label: string, segments: readonly number[]): Group {
  const starts = new Float64Array(segments.length + 1);
  for (const [i, segment] of segments.entries()) starts[i + 1] = numberAt(starts, i) + numberAt(map.bytes, segment);
  return { label, segments: Int32Array.from(segments), starts };
}

/**
 * Wraps groups like paragraphs of text: a row shows `bytesPerLine` bytes, and each group starts on a new row below a
 * heading row. Rows are numbered from the heading of the first group.
 *
 *   row 0   heading of group 0
 *   row 1   bytes 0 to L of group 0
 *   row 2   bytes L to 2L …
 *   row n   heading of group 1
 */
export class MapLayout {
  /** The heading row of each group, and as an additional last entry the number of rows. */
  private readonly firstRow: Int32Array;

  constructor(
    readonly groups: readonly Group[],
    readonly bytesPerLine: number,
  ) {
    this.firstRow = new Int32Array(groups.length + 1);
    for (const [g, each] of groups.entries()) {
      this.firstRow[g + 1] = intAt(this.firstRow, g) + 1 + Math.ceil(bytesOf(each) / bytesPerLine);
    }
  }

  get rowCount(): number {
    return intAt(this.firstRow, this.groups.length);
  }

  /** The group shown in a row and the line within the group, -1 for its heading. Null outside the map. */
  lineAt(row: number): { group: number; line: number } | null {
    if (row < 0 || row >= this.rowCount) return null;
    const group = lastAtMost(this.firstRow, row, this.groups.length);
    return { group, line: Math.floor(row) - intAt(this.firstRow, group) - 1 };
  }

  /** The row that shows byte `offset` of group `group`. */
  rowOf(group: number, offset: number): number {
    return intAt(this.firstRow, group) + 1 + Math.floor(offset / this.bytesPerLine);
  }

  /** The byte offset at `share` of a row (0: left end, 1: right end); null on headings and past the group's end. */
  offsetAt(row: number, share: number): { group: number; offset: number } | null {
    const at = this.lineAt(row);
    if (at === null || at.line < 0 || share < 0 || share >= 1) return null;
    const offset = (at.line + share) * this.bytesPerLine;
    return offset < bytesOf(itemAt(this.groups, at.group)) ? { group: at.group, offset } : null;
  }

  /** The first byte of the line in a row; for a heading, of the group below it. Null outside the map. */
  lineStart(row: number): { group: number; offset: number } | null {
    const at = this.lineAt(Math.min(Math.floor(row), this.rowCount - 1));
    return at === null ? null : { group: at.group, offset: Math.max(0, at.line) * this.bytesPerLine };
  }

  /** The row in which a block begins. Null if its segment is not shown. */
  rowOfBlock(map: MemoryMap, block: number): number | null {
    const segment = segmentOf(map, block);
    const position = this.positionOf(segment);
    if (position === null) return null;
    return this.rowOf(
      position.group,
      position.offset + Number(wordAt(map.blockAddress, block) - wordAt(map.address, segment)),
    );
  }

  /** The group of a segment and the segment's byte offset in it. Null if the segment is not shown. */
  positionOf(segment: number): { group: number; offset: number } | null {
    for (const [g, each] of this.groups.entries()) {
      const i = each.segments.indexOf(segment);
      if (i >= 0) return { group: g, offset: numberAt(each.starts, i) };
    }
    return null;
  }
}

export function bytesOf(group: Group): number {
  return numberAt(group.starts, group.starts.length - 1);
}

/** The index in `group.segments` of the segment that contains byte `offset`. */
export function segmentIndexAt(group: Group, offset: number): number {
  return lastAtMost(group.starts, offset, group.segments.length);
}

/** The block of `map` that contains byte `offset` of `group`. */
export function blockAtOffset(map: MemoryMap, group: Group, offset: number): number {
  const i = segmentIndexAt(group, offset);
  const segment = intAt(group.segments, i);
  const address = wordAt(map.address, segment) + BigInt(Math.floor(offset - numberAt(group.starts, i)));
  let low = intAt(map.firstBlock, segment);
  let high = intAt(map.firstBlock, segment + 1) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (wordAt(map.blockAddress, middle) <= address) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The index of the last value that is at most `value`, among the first `count` ascending ones. */
function lastAtMost(values: ArrayLike<number>, value: number, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? NaN) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The smallest line; with fewer bytes a single block could fill the screen. */
export const MIN_LINE_BYTES = 64 * 1024;

/** The smallest power of two for which all groups fit into `rows` rows. */
export function fittingLineBytes(groups: readonly Group[], rows: number): number {
  let bytes = MIN_LINE_BYTES;
  const largest = groups.reduce((max, each) => Math.max(max, bytesOf(each)), 0);
  while (bytes < largest && new MapLayout(groups, bytes).rowCount > rows) bytes *= 2;
  return bytes;
}
