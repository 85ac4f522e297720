import { byteAt, intAt } from '../base/at';
import { countedText, countText } from '../base/numbers';
import { Columns, InvalidColumnsError } from './columns';
import type { EventRange } from './event-range';

/** Steps and annotations as ranges of events, in lanes; the arrays are parallel. Ranges of one lane do not overlap. */
export interface NamedRanges {
  readonly laneCount: number;
  /** Whether lane 0 contains steps. */
  readonly hasSteps: boolean;
  /** Whether the steps are a guess. */
  readonly isGuess: boolean;
  /** What is not shown, or an empty text. */
  readonly note: string;
  readonly names: readonly string[];
  readonly lane: Uint8Array;
  readonly first: Int32Array;
  /** Exclusive. */
  readonly end: Int32Array;
  /** More than 1: ranges that are thinner than a pixel. */
  readonly count: Int32Array;
  /** Index into names, or -1. */
  readonly name: Int32Array;
}

/** Throws InvalidColumnsError if the response is malformed or inconsistent. */
export function decodeNamedRanges(buffer: ArrayBuffer): NamedRanges {
  const columns = Columns.decode(buffer);
  const lane = columns.bytes('lane');
  columns.requireLength(lane.length, ['first', 'end', 'count', 'name']);
  const ranges: NamedRanges = {
    laneCount: columns.number('laneCount'),
    hasSteps: columns.header['hasSteps'] === true,
    isGuess: columns.header['source'] === 'periodicity',
    note: noteOf(columns),
    names: columns.list('names').map(String),
    lane,
    first: columns.ints('first'),
    end: columns.ints('end'),
    count: columns.ints('count'),
    name: columns.ints('name'),
  };
  for (let i = 0; i < lane.length; i++) {
    if (byteAt(lane, i) >= ranges.laneCount || intAt(ranges.end, i) <= intAt(ranges.first, i))
      throw new InvalidColumnsError(`Range ${i} has the events ${ranges.first[i]} to ${ranges.end[i]} in ${lane[i]}.`);
  }
  return ranges;
}

function noteOf(columns: Columns): string {
  const { times } = columns.header;
  const recorded = columns.number('recordedAnnotations');
  if (recorded > 0 && times === 'goes-back')
    return `${countedText(recorded, 'annotation')} not shown: the times of the events go back, so their places are not known.`;
  if (recorded > 0 && times !== 'ascending')
    return `${countedText(recorded, 'annotation')} not shown: not every event has a time, so their places are not known.`;
  const hidden = columns.number('hiddenCount');
  return hidden === 0 ? '' : `${countedText(hidden, 'annotated range')} not shown: nested too deep.`;
}

/** The range in a lane at a position, or -1. */
export function rangeAt(ranges: NamedRanges, lane: number, event: number): number {
  for (let i = 0; i < ranges.lane.length; i++) {
    if (ranges.lane[i] === lane && intAt(ranges.first, i) <= event && event < intAt(ranges.end, i)) return i;
  }
  return -1;
}

/** The range of `other` that is the i-th of `ranges`, or -1. */
export function sameRange(ranges: NamedRanges, i: number, other: NamedRanges): number {
  return other.first.findIndex(
    (first, j) =>
      first === ranges.first[i] &&
      other.end[j] === ranges.end[i] &&
      other.lane[j] === ranges.lane[i] &&
      nameOf(other, j) === nameOf(ranges, i),
  );
}

export function eventsOfRange(ranges: NamedRanges, i: number): EventRange {
  return { from: intAt(ranges.first, i), to: intAt(ranges.end, i) };
}

/** A short name, for the chart; empty if there is none. */
export function nameOf(ranges: NamedRanges, i: number): string {
  return ranges.names[intAt(ranges.name, i)] ?? '';
}

/** The name with the events: `step 3, events 100 to 199`. */
export function rangeText(ranges: NamedRanges, i: number): string {
  const isStep = ranges.hasSteps && ranges.lane[i] === 0;
  const kind = isStep ? 'step' : 'annotated range';
  const name = intAt(ranges.count, i) > 1 ? countedText(intAt(ranges.count, i), kind) : nameOf(ranges, i) || kind;
  const last = intAt(ranges.end, i) - 1;
  const events =
    last === ranges.first[i]
      ? `event ${countText(last)}`
      : `events ${countText(intAt(ranges.first, i))} to ${countText(last)}`;
  return `${name}${isStep && ranges.isGuess ? ' (detected)' : ''}, ${events}`;
}
