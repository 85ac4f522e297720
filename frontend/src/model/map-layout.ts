import { freeBytesOf, type MemoryMap } from './memory-map';

/** How segments follow each other: by pool and stream with a heading each, by address, or the emptiest first. */
export const ORDERS = ['pool', 'address', 'free'] as const;
export type Order = (typeof ORDERS)[number];

/** Segments that flow on together from a line of their own. */
export interface Group {
  readonly label: string;
  readonly segments: Int32Array;
  /** Where each segment starts, counted in bytes from the start of the group; one more entry: the bytes of the group. */
  readonly starts: Float64Array;
}

export function groupsOf(map: MemoryMap, order: Order): Group[] {
  const all = Array.from(map.address.keys());
  if (order === 'address') return all.length === 0 ? [] : [group(map, 'All segments by address', all)];
  if (order === 'free') {
    const free = all.map((segment) => freeBytesOf(map, segment));
    all.sort((one, other) => free[other] - free[one] || one - other);
    return all.length === 0 ? [] : [group(map, 'Segments with the most inactive bytes first', all)];
  }
  const byKey = new Map<number, number[]>();
  const keyOf = (segment: number) =>
    (map.pool[segment] * map.streams.length + map.stream[segment]) * 2 + 1 - map.kind[segment];
  for (const segment of all) {
    const key = keyOf(segment);
    const members = byKey.get(key);
    if (members === undefined) byKey.set(key, [segment]);
    else members.push(segment);
  }
  return [...byKey]
    .sort(([one], [other]) => one - other)
    .map(([, members]) => group(map, labelOf(map, members[0]), members));
}

function labelOf(map: MemoryMap, segment: number): string {
  const pool = map.pools[map.pool[segment]];
  const kind = map.kind[segment] === 0 ? 'small' : 'large';
  const place = pool === '(0, 0)' ? `${kind} pool` : `private pool ${pool}, ${kind}`;
  return `${place} · stream ${map.streams[map.stream[segment]]}`;
}

function group(map: MemoryMap, label: string, segments: readonly number[]): Group {
  const starts = new Float64Array(segments.length + 1);
  for (const [i, segment] of segments.entries()) starts[i + 1] = starts[i] + map.bytes[segment];
  return { label, segments: Int32Array.from(segments), starts };
}

/**
 * Groups wrapped like paragraphs: a row holds `bytesPerLine`, each group begins on a row of its own under a row for its
 * heading. Rows are numbered from the top of the first group.
 *
 *   row 0   heading of group 0
 *   row 1   bytes 0 to L of group 0
 *   row 2   bytes L to 2L …
 *   row n   heading of group 1
 */
export class MapLayout {
  /** The heading's row of each group; one more entry: the number of rows. */
  private readonly firstRow: Int32Array;

  constructor(
    readonly groups: readonly Group[],
    readonly bytesPerLine: number,
  ) {
    this.firstRow = new Int32Array(groups.length + 1);
    for (const [g, each] of groups.entries()) {
      this.firstRow[g + 1] = this.firstRow[g] + 1 + Math.ceil(bytesOf(each) / bytesPerLine);
    }
  }

  get rowCount(): number {
    return this.firstRow[this.groups.length];
  }

  /** The group of a row, and the line within it: -1 is the heading. Null outside. */
  lineAt(row: number): { group: number; line: number } | null {
    if (row < 0 || row >= this.rowCount) return null;
    const group = lastAtMost(this.firstRow, row, this.groups.length);
    return { group, line: Math.floor(row) - this.firstRow[group] - 1 };
  }

  /** The row that shows byte `offset` of group `group`. */
  rowOf(group: number, offset: number): number {
    return this.firstRow[group] + 1 + Math.floor(offset / this.bytesPerLine);
  }

  /** The byte of a group at `share` (0 left, 1 right) of a row; null on headings and past the group's end. */
  offsetAt(row: number, share: number): { group: number; offset: number } | null {
    const at = this.lineAt(row);
    if (at === null || at.line < 0 || share < 0 || share >= 1) return null;
    const offset = (at.line + share) * this.bytesPerLine;
    return offset < bytesOf(this.groups[at.group]) ? { group: at.group, offset } : null;
  }

  /** Where a segment lies: its group and its first byte there. Null when it is not shown. */
  placeOf(segment: number): { group: number; offset: number } | null {
    for (const [g, each] of this.groups.entries()) {
      const i = each.segments.indexOf(segment);
      if (i >= 0) return { group: g, offset: each.starts[i] };
    }
    return null;
  }
}

export function bytesOf(group: Group): number {
  return group.starts[group.starts.length - 1];
}

/** The index into group.segments of the segment that holds byte `offset`. */
export function segmentIndexAt(group: Group, offset: number): number {
  return lastAtMost(group.starts, offset, group.segments.length);
}

/** The block of `map` that holds byte `offset` of `group`. */
export function blockAtOffset(map: MemoryMap, group: Group, offset: number): number {
  const i = segmentIndexAt(group, offset);
  const segment = group.segments[i];
  const address = map.address[segment] + BigInt(Math.floor(offset - group.starts[i]));
  let low = map.firstBlock[segment];
  let high = map.firstBlock[segment + 1] - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (map.blockAddress[middle] <= address) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last of the first `count` ascending values that is at most `value`. */
function lastAtMost(values: ArrayLike<number>, value: number, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** No line holds less; below, one block would fill the screen. */
export const LEAST_LINE_BYTES = 64 * 1024;

/** The smallest power of two with which all groups fit into `rows` rows. */
export function fittingLineBytes(groups: readonly Group[], rows: number): number {
  let bytes = LEAST_LINE_BYTES;
  const most = groups.reduce((sum, each) => Math.max(sum, bytesOf(each)), 0);
  while (bytes < most && new MapLayout(groups, bytes).rowCount > rows) bytes *= 2;
  return bytes;
}
