import { intAt, numberAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { countedText, countText } from '../../base/numbers';
import { relativeTimeText } from '../../base/time';
import { locationText } from '../../model/frames';
import { columnOfEvent, type Timeline } from '../../model/timeline';
import type { EventRange } from '../../model/event-range';

/** A text summary of the chart for screen readers. */
export function summaryText(timeline: Timeline): string {
  const sentences = [
    `Events ${countText(timeline.from)} to ${countText(timeline.to)} of ${countText(timeline.eventCount)}.`,
    `Peak of active memory: ${bytesText(timeline.windowPeakBytes)} in this range, ${bytesText(timeline.peakBytes)} in the whole trace` +
      (Number.isNaN(timeline.peakEvent)
        ? ' before the first recorded event.'
        : ` at event ${countText(timeline.peakEvent)}.`),
    `${countedText(timeline.allocationCount, 'allocation')}, ${countText(timeline.drawnCount)} of them drawn individually, ${smallText(timeline)}.`,
  ];
  const inRange = timeline.ooms.filter((oom) => oom.event >= timeline.from && oom.event < timeline.to).length;
  if (timeline.ooms.length > 0)
    sentences.push(
      `${countedText(inRange, 'request')} failed with an out-of-memory error in this range, ${countText(timeline.ooms.length)} in the whole trace.`,
    );
  return sentences.join(' ');
}

/** What the announcement of an allocation contains. */
export interface AnnouncedAllocation {
  readonly requestedBytes: number | null;
  readonly allocatedBytes: number | null;
  readonly allocationEvent: number | null;
  readonly freeRequestedEvent: number | null;
  readonly freeCompletedEvent: number | null;
  readonly site: { readonly name: string; readonly file: string; readonly line: number } | null;
}

/** The allocation in focus, or the pinned one, in one sentence for screen readers. */
export function announcementText(details: AnnouncedAllocation, isPinned: boolean): string {
  const { allocationEvent, freeCompletedEvent, freeRequestedEvent, site } = details;
  const end = freeCompletedEvent ?? freeRequestedEvent;
  return [
    `${isPinned ? 'Pinned: ' : ''}${bytesText(details.requestedBytes ?? details.allocatedBytes ?? NaN)}`,
    site === null ? 'no stack' : `${site.name} ${locationText(site)}`.trim(),
    allocationEvent === null ? 'allocated before the first event' : `allocated at event ${countText(allocationEvent)}`,
    end === null ? 'live at the end' : `freed at event ${countText(end)}`,
  ].join(', ');
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
  const parts = [`event ${countText(intAt(timeline.event, column))}`];
  if (!Number.isNaN(timeline.micros[column])) parts.push(relativeTimeText(numberAt(timeline.micros, column)));
  parts.push(`active ${bytesText(numberAt(timeline.activeMax, column))}`);
  if (!Number.isNaN(timeline.reserved[column]))
    parts.push(`reserved ${bytesText(numberAt(timeline.reserved, column))}`);
  return parts.join(' · ');
}

/** The event at the pointer or, if there is none, the visible range. */
export function statusText(event: number | null, range: EventRange, timeline: Timeline): string {
  return event === null ? rangeText(range, timeline) : eventText(event, timeline);
}

/** Describes a point of the chart that does not belong to a single allocation. */
export function bandText(kind: 'rest' | 'inactive', timeline: Timeline): string {
  if (kind === 'inactive') return 'Reserved from the device but not active: cached by the allocator.';
  return `Of ${countedText(timeline.allocationCount, 'allocation')} in this range, ${countText(timeline.drawnCount)} are drawn individually, ${smallText(timeline)}. Zoom in to see them.`;
}

/** Why the other allocations of the range have no area of their own. */
function smallText({ allocationCount, drawnCount, summarizedCount }: Timeline): string {
  const between = allocationCount - drawnCount - summarizedCount;
  const small = `${countText(summarizedCount)} are too small`;
  return between > 0 ? `${small}, and ${countText(between)} are active only between two columns of pixels` : small;
}
