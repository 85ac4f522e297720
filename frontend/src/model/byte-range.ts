import { numberAt } from '../base/at';
import { columnOfEvent, type Timeline } from './timeline';
import type { EventRange } from './event-range';
import type { ByteScale } from './timeline-view';

/** The lowest and highest value of the byte axis. */
export interface ByteRange {
  readonly low: number;
  readonly high: number;
}

/**
 * `full`: from zero to the maximum of the whole trace, independent of `range`, so that different ranges can be compared.
 * `fit`: only the values that occur within `range`, with a small margin.
 */
export function byteRangeOf(overview: Timeline, detail: Timeline, range: EventRange, scale: ByteScale): ByteRange {
  if (scale === 'full') {
    let high = overview.peakBytes;
    for (const reserved of overview.reserved) if (reserved > high) high = reserved;
    return { low: 0, high: Math.max(1, high * 1.08) };
  }
  const timeline = detail.from <= range.from && detail.to >= range.to ? detail : overview;
  const first = Math.max(0, columnOfEvent(timeline, Math.max(timeline.from, range.from)));
  const last = columnOfEvent(timeline, Math.min(timeline.to - 1, range.to));
  let low = Infinity;
  let high = 0;
  for (let c = first; c <= (last < 0 ? timeline.width - 1 : last); c++) {
    low = Math.min(low, numberAt(timeline.activeMin, c));
    high = Math.max(high, numberAt(timeline.activeMax, c));
  }
  if (!(low <= high)) return { low: 0, high: Math.max(1, overview.peakBytes) };
  const margin = Math.max((high - low) * 0.12, high * 0.002, 1);
  return { low: Math.max(0, low - margin), high: high + margin };
}
