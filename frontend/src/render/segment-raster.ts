import { intAt, numberAt } from '../base/at';
import { mixed, pixelOf } from '../base/colour';
import { type EventRange, sizeOf } from '../model/event-range';
import type { SegmentTimeline, StripSums } from '../model/segment-timeline';
import { eventOfColumn } from '../model/timeline';
import { type Palette, tintOf } from './palette';
import type { Raster } from './raster';

/** Minimum height and width of a rectangle with an edge, in CSS pixels. */
const MIN_EDGE_SIZE = 4;

/** Converts columns of the timeline, and offsets in its lanes, to device pixels of a raster. */
class Scale {
  readonly x: Int32Array;
  /** Of each lane: its top, and its height without the line that separates neighbouring lanes. */
  private readonly top: Int32Array;
  private readonly inner: Int32Array;

  constructor(
    raster: Raster,
    readonly ratio: number,
    range: EventRange,
    readonly timeline: SegmentTimeline,
  ) {
    const perEvent = raster.width / sizeOf(range);
    this.x = Int32Array.from({ length: timeline.width + 1 }, (_, column) =>
      Math.round((eventOfColumn(timeline, column) - range.from) * perEvent),
    );
    const perPixel = raster.height / timeline.height;
    this.top = Int32Array.from(timeline.laneTop, (top) => Math.round(top * perPixel));
    this.inner = Int32Array.from(timeline.laneHeight, (height) =>
      Math.max(1, Math.round(height * perPixel) - Math.round(ratio)),
    );
  }

  y(lane: number, offset: number): number {
    const share = offset / numberAt(this.timeline.laneBytes, lane);
    return intAt(this.top, lane) + Math.round(share * intAt(this.inner, lane));
  }
}

/** Draws what is held, the blocks, and the sums of all that is too thin. */
export function rasterSegments(
  raster: Raster,
  ratio: number,
  range: EventRange,
  timeline: SegmentTimeline,
  palette: Palette,
): void {
  raster.clear(pixelOf(palette.background));
  const scale = new Scale(raster, ratio, range, timeline);
  const free = mixed(palette.background, palette.inactive, 0.5);
  fillStrips(raster, scale, timeline.thinHeld, (share) => pixelOf(mixed(palette.background, free, share)));
  fillHeld(raster, scale, pixelOf(free), pixelOf(mixed(palette.background, palette.ink, 0.45)));
  const dense = mixed(palette.background, palette.ink, 0.55);
  fillStrips(raster, scale, timeline.thin, (share) => pixelOf(mixed(free, dense, 0.15 + 0.85 * share)));
  fillBlocks(raster, scale, palette);
}

/** Fills strips in a colour for the share of their bytes. */
function fillStrips(raster: Raster, scale: Scale, sums: StripSums, colour: (share: number) => number): void {
  const { stripLane, stripStart, stripEnd } = scale.timeline;
  const colours = Array.from({ length: 65 }, (_, i) => colour(i / 64));
  for (let i = 0; i < sums.strip.length; i++) {
    const strip = intAt(sums.strip, i);
    const lane = intAt(stripLane, strip);
    const start = numberAt(stripStart, strip);
    const end = numberAt(stripEnd, strip);
    const share = Math.min(1, numberAt(sums.bytes, i) / (end - start));
    const x0 = intAt(scale.x, intAt(sums.column0, i));
    const x1 = intAt(scale.x, intAt(sums.column1, i));
    const y0 = scale.y(lane, start);
    const y1 = Math.max(y0 + 1, scale.y(lane, end));
    raster.fill(x0, y0, x1, y1, colours[Math.ceil(share * 64)] ?? 0);
  }
}

function fillHeld(raster: Raster, scale: Scale, fill: number, edge: number): void {
  const { heldLane, heldOffset, heldBytes, heldColumn0, heldColumn1 } = scale.timeline;
  const line = Math.max(1, Math.round(scale.ratio));
  for (let i = 0; i < heldLane.length; i++) {
    const x0 = intAt(scale.x, intAt(heldColumn0, i));
    const x1 = Math.max(x0 + 1, intAt(scale.x, intAt(heldColumn1, i)));
    const y0 = scale.y(intAt(heldLane, i), numberAt(heldOffset, i));
    const y1 = Math.max(y0 + 1, scale.y(intAt(heldLane, i), numberAt(heldOffset, i) + numberAt(heldBytes, i)));
    raster.fill(x0, y0, x1, y1, fill);
    // A line where it is acquired, and where it is released within the window.
    if (intAt(heldColumn0, i) > 0) raster.fill(x0, y0, x0 + line, y1, edge);
    if (intAt(heldColumn1, i) < scale.timeline.width) raster.fill(x1 - line, y0, x1, y1, edge);
  }
}

function fillBlocks(raster: Raster, scale: Scale, palette: Palette): void {
  const { lane, offset, bytes, column0, column1, pendingColumn, stack } = scale.timeline;
  const minEdgeSize = MIN_EDGE_SIZE * scale.ratio;
  const line = Math.max(1, Math.round(scale.ratio * 0.75));
  const background = pixelOf(mixed(palette.background, palette.pending, 0.2));
  for (let i = 0; i < lane.length; i++) {
    const x0 = intAt(scale.x, intAt(column0, i));
    const x1 = intAt(scale.x, intAt(column1, i));
    if (x1 <= 0 || x0 >= raster.width || x1 === x0) continue;
    const start = numberAt(offset, i);
    const y0 = scale.y(intAt(lane, i), start);
    const y1 = Math.max(y0 + 1, scale.y(intAt(lane, i), start + numberAt(bytes, i)));
    const tint = tintOf(palette, intAt(stack, i));
    const fill = palette.fills[tint] ?? 0;
    const edge = palette.edges[tint] ?? 0;
    raster.fill(x0, y0, x1, y1, fill);
    if (intAt(pendingColumn, i) < intAt(column1, i)) {
      raster.hatch(intAt(scale.x, intAt(pendingColumn, i)), y0, x1, y1, background, fill, scale.ratio);
    }
    if (y1 - y0 < minEdgeSize || x1 - x0 < minEdgeSize) continue;
    raster.fill(x0, y0, x1, y0 + line, edge);
    raster.fill(x0, y0, x0 + line, y1, edge);
  }
}
