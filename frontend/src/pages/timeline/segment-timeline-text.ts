import { byteAt, intAt, itemAt, numberAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { addressText, countedText, countText, poolText } from '../../base/numbers';
import type { EventRange } from '../../model/event-range';
import { addressAt, type LanePoint, laneStateAt } from '../../model/segment-lanes';
import type { SegmentTimeline } from '../../model/segment-timeline';

const KINDS = ['small', 'large', 'small and large'];

/** A text summary of the chart for screen readers. */
export function summaryText(timeline: SegmentTimeline): string {
  return [
    `Events ${countText(timeline.from)} to ${countText(timeline.to)} of ${countText(timeline.eventCount)}.`,
    `${segmentsText(timeline)} in ${countedText(timeline.laneBytes.length, 'lane')}.`,
    `At the columns of the chart: ${countedText(timeline.allocationCount, 'allocation')}, ${countText(timeline.drawnCount)} of them drawn individually.`,
    releasesText(timeline),
  ].join(' ');
}

function segmentsText(timeline: SegmentTimeline): string {
  return `${countedText(timeline.partBytes.length, 'range')} of held addresses`;
}

function releasesText(timeline: SegmentTimeline): string {
  const sum = (values: Iterable<number>) => {
    let total = 0;
    for (const value of values) total += value;
    return total;
  };
  const acquired = sum(timeline.acquiredCount);
  const released = sum(timeline.releasedCount);
  return (
    `${countedText(acquired, 'segment event')} acquired ${bytesText(sum(timeline.acquiredBytes))}, ` +
    `${countText(released)} released ${bytesText(sum(timeline.releasedBytes))}.`
  );
}

/** The status line while the pointer is outside the chart. */
export function rangeText(range: EventRange, timeline: SegmentTimeline): string {
  const count = Math.ceil(range.to) - Math.floor(range.from);
  const parts = [`${countText(count)} of ${countedText(timeline.eventCount, 'event')}`, releasesText(timeline)];
  if (timeline.outsideCount > 0) parts.push(`${countedText(timeline.outsideCount, 'allocation')} in no known segment`);
  if (timeline.unsampledSegmentCount > 0) {
    parts.push(`${countedText(timeline.unsampledSegmentCount, 'segment')} held too briefly to draw: zoom in`);
  }
  return parts.join(' · ');
}

/** The status line at `event`: the segment events of its column, and the lane at the pointer. */
export function eventText(event: number, column: number, point: LanePoint | null, timeline: SegmentTimeline): string {
  const parts = [`event ${countText(Math.floor(event))}`];
  if (intAt(timeline.acquiredCount, column) > 0)
    parts.push(`▲ acquired ${bytesText(numberAt(timeline.acquiredBytes, column))}`);
  if (intAt(timeline.releasedCount, column) > 0)
    parts.push(`▼ released ${bytesText(numberAt(timeline.releasedBytes, column))}`);
  if (point !== null) {
    const { active, reserved } = laneStateAt(timeline, point.lane, point.column);
    parts.push(`${bytesText(active)} of ${bytesText(reserved)} active in this lane`);
  }
  return parts.join(' · ');
}

/** `large, stream 0, expandable` */
export function ownerText(timeline: SegmentTimeline, lane: number): string {
  const stream = intAt(timeline.laneStream, lane);
  const pool = intAt(timeline.lanePool, lane);
  const parts = [
    KINDS[byteAt(timeline.laneKind, lane)],
    stream < 0 ? 'several streams' : `stream ${timeline.streams[stream]}`,
  ];
  if (pool < 0) parts.push('several pools');
  else {
    const text = poolText(itemAt(timeline.pools, pool));
    if (text !== 'default') parts.push(`pool ${text}`);
  }
  if (timeline.laneExpandable[lane] !== 0) parts.push('expandable');
  return parts.join(', ');
}

/** Title and text of the panel for a point where no block is drawn. */
export function laneText(timeline: SegmentTimeline, point: LanePoint): [title: string, text: string] {
  const { lane, column } = point;
  const count = intAt(timeline.lanePartCount, lane);
  const { reserved, active, largestFree } = laneStateAt(timeline, lane, column);
  const what = count === 1 ? 'Segment' : countedText(count, 'segment');
  const title = `${what}, ${bytesText(numberAt(timeline.laneBytes, lane))}`;
  const address = addressText(addressAt(timeline, lane, point.offset));
  const sentences = [`${ownerText(timeline, lane)}. Address at the pointer: ${address}.`];
  if (reserved === 0) sentences.push('Not held at this event.');
  else {
    const free = Math.max(0, reserved - active);
    sentences.push(
      `Held ${bytesText(reserved)}, of which ${bytesText(active)} active and ${bytesText(free)} free; largest free piece ${bytesText(largestFree)}.`,
    );
    if (timeline.thinCount > 0) sentences.push('Darker grey: blocks too small to draw at this scale. Zoom in.');
  }
  const text = sentences.join(' ');
  return [title, text.charAt(0).toUpperCase() + text.slice(1)];
}
