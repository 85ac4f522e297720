import { Columns } from './columns';

/** Instead of a stack: drawn in a faint grey, because a search does not find it. */
export const FADED = -2;

/** What a search in all frames has found. */
export interface SearchHits {
  /** Distinct frames with the text. */
  readonly frameCount: number;
  /** Allocations with such a frame in their stack. */
  readonly allocationCount: number;
  /** Their bytes at the peak of the trace. */
  readonly peakBytes: number;
  /** Their bytes at the end of the recording. */
  readonly endBytes: number;
  /** Their bytes after the event of the request; NaN without one. */
  readonly eventBytes: number;
  /** The stacks with such a frame: stack s is bit s % 32 of number s / 32. */
  readonly stacks: Int32Array;
}

/** Throws InvalidColumnsError if the response is malformed. */
export function decodeSearchHits(buffer: ArrayBuffer): SearchHits {
  const columns = Columns.decode(buffer);
  return {
    frameCount: columns.number('frameCount'),
    allocationCount: columns.number('allocationCount'),
    peakBytes: columns.number('peakBytes'),
    endBytes: columns.number('endBytes'),
    eventBytes: columns.numberOrNaN('eventBytes'),
    stacks: columns.ints('stacks'),
  };
}

/** Whether a stack is found; an unknown one (-1) is not. */
export function isHit(hits: SearchHits, stack: number): boolean {
  return stack >= 0 && ((hits.stacks[stack >> 5] ?? 0) & (1 << (stack & 31))) !== 0;
}

/** The chart with its other stacks faded; without a search, the chart itself. */
export function faded<Chart extends { readonly stack: Int32Array }>(chart: Chart, hits: SearchHits | null): Chart {
  if (hits === null) return chart;
  return { ...chart, stack: chart.stack.map((stack) => (isHit(hits, stack) ? stack : FADED)) };
}
