import { byteAt, intAt, numberAt, wordAt } from '../base/at';
import { blockAtOffset, type Group, segmentIndexAt } from '../model/map-layout';
import { ALLOCATED, INACTIVE, type MemoryMap } from '../model/memory-map';
import { FADED } from '../model/search-hits';

/** Minimum width of a block with an edge, in device pixels; for segments, half of it. */
const MIN_EDGE_SIZE = 5;
/** Minimum width of a range of inactive bytes with a label, in device pixels. */
const MIN_HOLE_SIZE = 60;
/** A block that a search does not find covers this share of its pixels; the rest is background. */
const FADED_SHARE = 0.2;

/** A visible part of an inactive block that is wide enough for a label; from `left` to `right` in device pixels. */
export interface Hole {
  readonly block: number;
  readonly left: number;
  readonly right: number;
}

/**
 * One line of the map in device pixels. For each pixel: the shares of it that are allocated, pending free and inactive,
 * the block that is allocated in most of it, and whether it is an edge. Instances are reused for all lines.
 *
 *   cover: [allocated, pending, inactive] of pixel 0, of pixel 1, …
 *   edge:  0 none, 1 start of a block, 2 start of a segment, 3 end of a segment
 */
export class MapLine {
  readonly cover: Float32Array;
  readonly edge: Uint8Array;
  /** -1 where nothing is allocated. */
  readonly block: Int32Array;
  private readonly most: Float32Array;
  holes: Hole[] = [];
  /** 1 where the segment is expandable. */
  readonly expandable: Uint8Array;

  constructor(readonly width: number) {
    this.cover = new Float32Array(width * 3);
    this.edge = new Uint8Array(width);
    this.block = new Int32Array(width);
    this.most = new Float32Array(width);
    this.expandable = new Uint8Array(width);
  }

  /** Fills the line with bytes `from` to `from + bytes` of `group`. */
  fill(map: MemoryMap, group: Group, from: number, bytes: number): void {
    this.cover.fill(0);
    this.edge.fill(0);
    this.block.fill(-1);
    this.most.fill(0);
    this.holes = [];
    this.expandable.fill(0);
    const perByte = this.width / bytes;
    const end = Math.min(from + bytes, numberAt(group.starts, group.starts.length - 1));
    let i = segmentIndexAt(group, from);
    let block = blockAtOffset(map, group, from);
    for (; i < group.segments.length && numberAt(group.starts, i) < end; i++) {
      const segment = intAt(group.segments, i);
      if (numberAt(group.starts, i) >= from) block = intAt(map.firstBlock, segment);
      let start = numberAt(group.starts, i) + Number(wordAt(map.blockAddress, block) - wordAt(map.address, segment));
      for (; block < intAt(map.firstBlock, segment + 1) && start < end; block++) {
        const stop = start + numberAt(map.blockBytes, block);
        this.addBlock(map, block, (start - from) * perByte, (stop - from) * perByte);
        start = stop;
      }
      this.addSegment(
        (numberAt(group.starts, i) - from) * perByte,
        (numberAt(group.starts, i + 1) - from) * perByte,
        byteAt(map.expandable, segment),
      );
    }
  }

  private addBlock({ state: states, stack }: MemoryMap, block: number, x0: number, x1: number): void {
    const { cover, width } = this;
    const state = byteAt(states, block);
    const left = Math.max(0, x0);
    const right = Math.min(width, x1);
    const last = Math.min(width - 1, Math.ceil(right) - 1);
    const share = stack[block] === FADED && state !== INACTIVE ? FADED_SHARE : 1;
    for (let x = Math.floor(left); x <= last; x++) {
      const covered = share * (Math.min(right, x + 1) - Math.max(left, x));
      cover[x * 3 + state] = (cover[x * 3 + state] ?? 0) + covered;
      if (state === ALLOCATED && covered > (this.most[x] ?? 0)) {
        this.most[x] = covered;
        this.block[x] = block;
      }
    }
    if (state === INACTIVE && right - left >= MIN_HOLE_SIZE) this.holes.push({ block, left, right });
    // Adjacent inactive blocks of a segment are always coalesced, so only active blocks need a start edge.
    if (x1 - x0 >= MIN_EDGE_SIZE && x0 >= 0 && state !== INACTIVE) this.edge[Math.floor(x0)] ||= 1;
  }

  private addSegment(x0: number, x1: number, expandable: number): void {
    const first = Math.max(0, Math.floor(x0));
    const last = Math.min(this.width, Math.ceil(x1));
    if (expandable !== 0) this.expandable.fill(1, first, last);
    if (x1 - x0 < MIN_EDGE_SIZE / 2) return;
    if (x0 >= 0) this.edge[first] = 2;
    if (x1 <= this.width) this.edge[Math.max(0, Math.ceil(x1) - 1)] = 3;
  }
}
