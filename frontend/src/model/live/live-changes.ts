import { numberAt } from '../../base/at';
import type { LiveSegment } from './live-frame';

/** What happened to a range of a segment between two frames. */
export type ChangeKind = 'allocated' | 'split' | 'freed' | 'coalesced' | 'acquired';

/** A change of bytes `from` to `to` (exclusive) of segment `segment`. */
export interface Change {
  readonly segment: number;
  readonly from: number;
  readonly to: number;
  readonly kind: ChangeKind;
}

/**
 * The changes from one state of a segment to the next; `before` is null for a new segment. A new block that covers only
 * a part of a formerly inactive range split it. A block that was freed into an inactive range larger than itself was
 * coalesced.
 */
export function changesOf(before: LiveSegment | null, after: LiveSegment): Change[] {
  if (before === null) return [{ segment: after.id, from: 0, to: after.bytes, kind: 'acquired' }];
  const changes: Change[] = [];
  let i = 0;
  let k = 0;
  while (i < before.start.length || k < after.start.length) {
    const old = i < before.start.length ? numberAt(before.start, i) : Infinity;
    const now = k < after.start.length ? numberAt(after.start, k) : Infinity;
    if (old === now && before.size[i] === after.size[k]) {
      i++;
      k++;
    } else if (now <= old) {
      const [from, to] = [now, now + numberAt(after.size, k)];
      const gap = gapAround(before, from);
      const isPart = gap !== null && (gap.from < from || gap.to > to);
      changes.push({ segment: after.id, from, to, kind: isPart ? 'split' : 'allocated' });
      k++;
      if (now === old) i++;
    } else {
      const [from, to] = [old, old + numberAt(before.size, i)];
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

/** The inactive range around byte `at` of a segment, or null if a block contains it. */
function gapAround(segment: LiveSegment, at: number): { from: number; to: number } | null {
  let low = 0;
  let high = segment.start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(segment.start, middle) <= at) low = middle + 1;
    else high = middle;
  }
  const from = low === 0 ? 0 : numberAt(segment.start, low - 1) + numberAt(segment.size, low - 1);
  if (from > at || at >= segment.bytes) return null;
  return { from, to: low < segment.start.length ? numberAt(segment.start, low) : segment.bytes };
}
