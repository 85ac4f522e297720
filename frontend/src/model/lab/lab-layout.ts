import type { LabBlock, LabSegment } from './lab';

/** A segment in a row of the strip; positions are shares of the row's width. */
export interface PlacedSegment {
  readonly segment: LabSegment;
  readonly row: number;
  readonly left: number;
  readonly width: number;
}

/** Blocks that are drawn as one because each is too narrow to be seen; otherwise a single block. */
export interface PlacedBlock {
  readonly blocks: readonly LabBlock[];
  /** Shares of the segment's width. */
  readonly left: number;
  readonly width: number;
}

/** The space between two segments of a row, as a share of its width. */
const GAP = 0.004;

/** Bytes of a row: the largest segment, or more if that would make many rows. */
export function rowBytes(segments: readonly LabSegment[], deviceBytes: number, mostRows = 8): number {
  const largest = Math.max(0, ...segments.map((segment) => segment.bytes));
  return Math.max(largest, Math.ceil(deviceBytes / mostRows), 1);
}

/** Places segments in rows, in their order, each as wide as its bytes. */
export function placed(segments: readonly LabSegment[], bytesPerRow: number): PlacedSegment[] {
  let row = 0;
  let left = 0;
  return segments.map((segment) => {
    const width = Math.min(1, segment.bytes / bytesPerRow);
    if (left > 0 && left + width > 1 + 1e-9) {
      row++;
      left = 0;
    }
    const place = { segment, row, left, width };
    left += width + GAP;
    return place;
  });
}

/** The blocks of a segment; neighbours of one state that are narrower than `least` of it are drawn together. */
export function placedBlocks(segment: LabSegment, least: number): PlacedBlock[] {
  const places: PlacedBlock[] = [];
  let together: LabBlock[] = [];
  const flush = () => {
    const first = together[0];
    const last = together.at(-1);
    if (first === undefined || last === undefined) return;
    places.push({
      blocks: together,
      left: first.offset / segment.bytes,
      width: (last.offset + last.bytes - first.offset) / segment.bytes,
    });
    together = [];
  };
  for (const block of segment.blocks) {
    const isNarrow = block.bytes / segment.bytes < least;
    const isSame = together[0]?.state === block.state && together.every((other) => other.bytes / segment.bytes < least);
    if (!isNarrow || !isSame) flush();
    together.push(block);
  }
  flush();
  return places;
}
