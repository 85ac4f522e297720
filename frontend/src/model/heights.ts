import { columnOfEvent, type Timeline } from './timeline';
import type { Span } from './span';
import type { HeightScale } from './timeline-view';

/** The lowest and highest bytes an axis must show. */
export interface Heights {
  readonly low: number;
  readonly high: number;
}

/**
 * `zero`: from nothing to the highest the whole trace reached, the same while moving, so that pictures compare.
 * `span`: only what occurs between the ends of `span`, with a little air.
 */
export function heightsOf(overview: Timeline, detail: Timeline, span: Span, scale: HeightScale): Heights {
  if (scale === 'zero') {
    let high = overview.peakBytes;
    for (const reserved of overview.reserved) if (reserved > high) high = reserved;
    return { low: 0, high: Math.max(1, high * 1.08) };
  }
  const timeline = detail.from <= span.from && detail.to >= span.to ? detail : overview;
  const first = Math.max(0, columnOfEvent(timeline, Math.max(timeline.from, span.from)));
  const last = columnOfEvent(timeline, Math.min(timeline.to - 1, span.to));
  let low = Infinity;
  let high = 0;
  for (let c = first; c <= (last < 0 ? timeline.width - 1 : last); c++) {
    low = Math.min(low, timeline.activeMin[c]);
    high = Math.max(high, timeline.activeMax[c]);
  }
  if (!(low <= high)) return { low: 0, high: Math.max(1, overview.peakBytes) };
  const air = Math.max((high - low) * 0.12, high * 0.002, 1);
  return { low: Math.max(0, low - air), high: high + air };
}
