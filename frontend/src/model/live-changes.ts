import type { LiveSegment } from './live-frame';

/** What just happened to a piece of a segment. */
export type ChangeKind = 'born' | 'split' | 'freed' | 'coalesced' | 'acquired';

/** Bytes `from` to `to` of segment `segment` changed. */
export interface Change {
  readonly segment: number;
  readonly from: number;
  readonly to: number;
  readonly kind: ChangeKind;
}

/**
 * How a segment came from what it was (null: it was not). A block that took a part of an inactive piece split it; one
 * that is gone and left a larger inactive piece than itself was coalesced into that.
 */
export function changesOf(before: LiveSegment | null, after: LiveSegment): Change[] {
  if (before === null) return [{ segment: after.id, from: 0, to: after.bytes, kind: 'acquired' }];
  const changes: Change[] = [];
  let i = 0;
  let k = 0;
  while (i < before.start.length || k < after.start.length) {
    const old = i < before.start.length ? before.start[i] : Infinity;
    const now = k < after.start.length ? after.start[k] : Infinity;
    if (old === now && before.size[i] === after.size[k]) {
      i++;
      k++;
    } else if (now <= old) {
      const [from, to] = [now, now + after.size[k]];
      const gap = gapAround(before, from);
      const isPart = gap !== null && (gap.from < from || gap.to > to);
      changes.push({ segment: after.id, from, to, kind: isPart ? 'split' : 'born' });
      k++;
      if (now === old) i++;
    } else {
      const [from, to] = [old, old + before.size[i]];
      const gap = gapAround(after, from);
      if (gap !== null && (gap.from < from || gap.to > to)) {
        const last = changes.at(-1);
        const same = last?.kind === 'coalesced' && last.from === gap.from;
        if (!same) changes.push({ segment: after.id, from: gap.from, to: gap.to, kind: 'coalesced' });
      } else changes.push({ segment: after.id, from, to, kind: 'freed' });
      i++;
    }
  }
  return changes;
}

/** The inactive piece that byte `at` of a segment lies in, or null where a block has it. */
function gapAround(segment: LiveSegment, at: number): { from: number; to: number } | null {
  let low = 0;
  let high = segment.start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segment.start[middle] <= at) low = middle + 1;
    else high = middle;
  }
  const from = low === 0 ? 0 : segment.start[low - 1] + segment.size[low - 1];
  if (from > at || at >= segment.bytes) return null;
  return { from, to: low < segment.start.length ? segment.start[low] : segment.bytes };
}
