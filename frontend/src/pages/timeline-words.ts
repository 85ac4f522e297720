import { bytesText } from '../base/bytes';
import { countedText, countText } from '../base/numbers';
import { momentText } from '../base/time';
import { columnOfEvent, type Timeline } from '../model/timeline';
import type { Span } from '../model/span';

/** The picture in two or three sentences, for who cannot see it. */
export function summaryText(timeline: Timeline): string {
  const sentences = [
    `Events ${countText(timeline.from)} to ${countText(timeline.to)} of ${countText(timeline.eventCount)}.`,
    `At most ${bytesText(timeline.windowPeakBytes)} active here, ${bytesText(timeline.peakBytes)} in the whole trace` +
      (Number.isNaN(timeline.peakEvent) ? '.' : ` at event ${countText(timeline.peakEvent)}.`),
    `${countedText(timeline.allocationCount, 'allocation')}, ${countText(timeline.summarizedCount)} of them too small to draw one by one.`,
  ];
  if (timeline.ooms.length > 0)
    sentences.push(`${countedText(timeline.ooms.length, 'request')} failed for lack of memory.`);
  return sentences.join(' ');
}

/** What is in sight, for the status line while no pointer is on the picture. */
export function spanText(span: Span, timeline: Timeline): string {
  const count = Math.ceil(span.to) - Math.floor(span.from);
  return `${countText(count)} of ${countedText(timeline.eventCount, 'event')} · peak here ${bytesText(timeline.windowPeakBytes)}`;
}

/** What is at `event`, for the status line. */
export function eventText(event: number, timeline: Timeline): string {
  const column = columnOfEvent(timeline, event);
  if (column < 0) return `event ${countText(Math.floor(event))}`;
  const parts = [`event ${countText(timeline.event[column])}`];
  if (!Number.isNaN(timeline.micros[column])) parts.push(momentText(timeline.micros[column]));
  parts.push(`active ${bytesText(timeline.activeMax[column])}`);
  if (!Number.isNaN(timeline.reserved[column])) parts.push(`reserved ${bytesText(timeline.reserved[column])}`);
  return parts.join(' · ');
}

/** What a height is that belongs to no single allocation of the picture. */
export function unnamedText(kind: 'rest' | 'inactive', timeline: Timeline): string {
  if (kind === 'inactive') return 'Reserved from the device but not active: held in the allocator’s cache.';
  const count = countedText(timeline.summarizedCount, 'allocation');
  return `In allocations too small to draw at this size; ${count} of this range are. Zoom in to see them.`;
}
