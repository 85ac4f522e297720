import { equal, type EventRange, roundedOut, sizeOf } from './event-range';

/** How much more is requested in the direction of the movement, as a share of the visible range. */
const AHEAD = 0.5;

/** What to request for a visible range. */
export interface Wanted {
  readonly range: EventRange;
  /** Size of `range` as a multiple of the visible one's. */
  readonly factor: number;
}

/**
 * While the visible range pans, requests cover more than it on the side that it moves to, so that what becomes visible is
 * already there. The request before is repeated as long as it covers the visible range.
 */
export class PanAhead {
  private visible: EventRange | null = null;
  private wanted: Wanted | null = null;

  /** The exact visible range, at rest or after any other change than panning. */
  exactly(range: EventRange): Wanted {
    this.visible = range;
    this.wanted = null;
    return { range: roundedOut(range), factor: 1 };
  }

  /** @param count number of events */
  moved(range: EventRange, count: number): Wanted {
    const last = this.visible;
    if (last === null || !isSameSize(last, range)) return this.exactly(range);
    if (equal(last, range)) return this.wanted ?? this.exactly(range);
    this.visible = range;
    const exact = roundedOut(range);
    const { wanted } = this;
    if (wanted !== null && wanted.range.from <= exact.from && wanted.range.to >= exact.to) return wanted;
    const ahead = sizeOf(range) * AHEAD;
    const isForward = range.from > last.from;
    const extended = {
      from: isForward ? exact.from : Math.max(0, Math.floor(range.from - ahead)),
      to: isForward ? Math.min(count, Math.ceil(range.to + ahead)) : exact.to,
    };
    this.wanted = { range: extended, factor: sizeOf(extended) / sizeOf(exact) };
    return this.wanted;
  }
}

/** A transition computes both ends, so sizes differ by rounding errors. */
function isSameSize(one: EventRange, other: EventRange): boolean {
  return Math.abs(sizeOf(one) - sizeOf(other)) < 1e-6 * sizeOf(one);
}
