import { intAt, numberAt } from '../base/at';
import type { EventRange } from './event-range';

/** Columns of equal time: column c begins at the position `edge[c]` between events; the last edge is the end. */
export interface TimedColumns {
  readonly edge: Float64Array;
  /** Time since the first event of the trace. */
  readonly fromMicros: number;
  readonly toMicros: number;
}

/**
 * Positions between events of the borders of columns, from the first event of each column or, if it has none, of the next
 * one that has. The borders of columns without events are spread over the space before that event:
 *
 *     column        0       1       2       3
 *     start         5       8       8       8     of the next column: 11
 *     edge          5       7⅓      7⅔      8
 */
export function edgesOf(start: Int32Array): Float64Array {
  const edge = new Float64Array(start.length);
  for (let first = 0; first < start.length;) {
    let last = first;
    while (last + 1 < start.length && start[last + 1] === start[first]) last++;
    const count = last - first + 1;
    for (let c = first; c <= last; c++) edge[c] = intAt(start, first) - (last - c) / count;
    first = last + 1;
  }
  return edge;
}

/** Where events are on an axis of time: as precise as the columns of the visible part or, outside it, of the whole trace. */
export class TimeScale {
  constructor(
    private readonly detail: TimedColumns,
    private readonly overview: TimedColumns,
  ) {}

  /** Time since the first event; fractions of events are between the times of two. */
  microsAt(event: number): number {
    const { edge } = this.detail;
    const isInside = event >= numberAt(edge, 0) && event <= numberAt(edge, edge.length - 1);
    return interpolated(isInside ? this.detail : this.overview, event);
  }

  eventAt(micros: number): number {
    const { fromMicros, toMicros } = this.detail;
    const columns = micros >= fromMicros && micros <= toMicros ? this.detail : this.overview;
    const { edge } = columns;
    const width = edge.length - 1;
    const position = ((micros - columns.fromMicros) / (columns.toMicros - columns.fromMicros)) * width;
    const c = Math.min(width - 1, Math.max(0, Math.floor(position)));
    return numberAt(edge, c) + (numberAt(edge, c + 1) - numberAt(edge, c)) * (position - c);
  }

  /** Horizontal position within a range: 0 at its start, 1 at its end. */
  shareOf(event: number, range: EventRange): number {
    const from = this.microsAt(range.from);
    return (this.microsAt(event) - from) / Math.max(1e-3, this.microsAt(range.to) - from);
  }

  eventAtShare(share: number, range: EventRange): number {
    const from = this.microsAt(range.from);
    return this.eventAt(from + share * (this.microsAt(range.to) - from));
  }
}

function interpolated({ edge, fromMicros, toMicros }: TimedColumns, event: number): number {
  const width = edge.length - 1;
  let low = 0;
  let high = width;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numberAt(edge, middle) <= event) low = middle;
    else high = middle;
  }
  const position = low + (event - numberAt(edge, low)) / (numberAt(edge, low + 1) - numberAt(edge, low));
  return fromMicros + (position / width) * (toMicros - fromMicros);
}
