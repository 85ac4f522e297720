import { bytesText } from '../base/bytes';
import { countedText, countText } from '../base/numbers';
import { relativeTimeText } from '../base/time';
import { columnOfEvent, type Timeline } from '../model/timeline';
import type { EventRange } from '../model/event-range';

/** A text summary of the chart for screen readers. */
export function summaryText(timeline: Timeline): string {
  const sentences = [
    `Events ${countText(timeline.from)} to ${countText(timeline.to)} of ${countText(timeline.eventCount)}.`,
    `Peak of active memory: ${bytesText(timeline.windowPeakBytes)} in this range, ${bytesText(timeline.peakBytes)} in the whole trace` +
      (Number.isNaN(timeline.peakEvent) ? '.' : ` at event ${countText(timeline.peakEvent)}.`),
    `${countedText(timeline.allocationCount, 'allocation')}, ${countText(timeline.summarizedCount)} of them too small to draw individually.`,
  ];
  if (timeline.ooms.length > 0)
    sentences.push(`${countedText(timeline.ooms.length, 'request')} failed with an out-of-memory error.`);
  return sentences.join(' ');
}

/** The visible range, for the status line while the pointer is outside the chart. */
export function rangeText(range: EventRange, timeline: Timeline): string {
  const count = Math.ceil(range.to) - Math.floor(range.from);
  return `${countText(count)} of ${countedText(timeline.eventCount, 'event')} · peak in this range ${bytesText(timeline.windowPeakBytes)}`;
}

/** The values at `event`, for the status line. */
export function eventText(event: number, timeline: Timeline): string {
  const column = columnOfEvent(timeline, event);
  if (column < 0) return `event ${countText(Math.floor(event))}`;
  const parts = [`event ${countText(timeline.event[column])}`];
  if (!Number.isNaN(timeline.micros[column])) parts.push(relativeTimeText(timeline.micros[column]));
  parts.push(`active ${bytesText(timeline.activeMax[column])}`);
  if (!Number.isNaN(timeline.reserved[column])) parts.push(`reserved ${bytesText(timeline.reserved[column])}`);
  return parts.join(' · ');
}

/** Describes a point of the chart that does not belong to a single allocation. */
export function bandText(kind: 'rest' | 'inactive', timeline: Timeline): string {
  if (kind === 'inactive') return 'Reserved from the device but not active: cached by the allocator.';
  const count = countedText(timeline.summarizedCount, 'allocation');
  return `Allocations too small to draw at this scale: ${count} in this range. Zoom in to see them.`;
}
