import type { RawEvent, RawFrame, RawSegment } from '../src/model/live/live-frame';

/** A frame with the given parts; everything else is zero or empty. */
export function frameOf(parts: Partial<RawFrame> & { v: number; from: number }): RawFrame {
  return {
    now: 0,
    events: 0,
    dropped: 0,
    gaps: 0,
    shortLived: 0,
    levels: [0, 0, 0, 0],
    device: [0, 0],
    segments: [],
    points: [],
    log: [],
    ...parts,
  };
}

/** A segment of pool 0 and stream 0; blocks as [start, bytes, awaited streams or null]. */
export function segmentOf(
  id: number,
  bytes: number,
  blocks: readonly (readonly [start: number, bytes: number, awaited?: readonly number[]])[],
  address = '0x7f0000000000',
): RawSegment {
  let end = 0;
  const flat = blocks.flatMap(([start, size, awaited]) => {
    const gap = start - end;
    end = start + size;
    return [gap, size, 0, 1, awaited === undefined ? -1 : awaited.length, ...(awaited ?? [])];
  });
  return [id, address, bytes, 0, 0, 0, flat];
}

export function eventOf(number: number, code: number, millis = 0): RawEvent {
  return [number, code, '0x10', 512, 0, 0, 0, 1, millis];
}
