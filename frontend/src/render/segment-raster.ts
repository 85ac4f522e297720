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

  constructor(
    private readonly raster: Raster,
    readonly ratio: number,
    range: EventRange,
    readonly timeline: SegmentTimeline,
  ) {
    const perEvent = raster.width / sizeOf(range);
    this.x = Int32Array.from({ length: timeline.width + 1 }, (_, column) =>
      Math.round((eventOfColumn(timeline, column) - range.from) * perEvent),
    );
  }

  /** Neighbouring lanes are separated by a line. */
  y(lane: number, offset: number): number {
    const { laneTop, laneHeight, laneBytes, height } = this.timeline;
    const perPixel = this.raster.height / height;
    const inner = Math.max(1, Math.round(laneHeight[lane] * perPixel) - Math.round(this.ratio));
    return Math.round(laneTop[lane] * perPixel) + Math.round((offset / laneBytes[lane]) * inner);
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
    const strip = sums.strip[i];
    const lane = stripLane[strip];
    const share = Math.min(1, sums.bytes[i] / (stripEnd[strip] - stripStart[strip]));
    const y0 = scale.y(lane, stripStart[strip]);
    const y1 = Math.max(y0 + 1, scale.y(lane, stripEnd[strip]));
    raster.fill(scale.x[sums.column0[i]], y0, scale.x[sums.column1[i]], y1, colours[Math.ceil(share * 64)]);
  }
}

function fillHeld(raster: Raster, scale: Scale, fill: number, edge: number): void {
  const { heldLane, heldOffset, heldBytes, heldColumn0, heldColumn1 } = scale.timeline;
  const line = Math.max(1, Math.round(scale.ratio));
  for (let i = 0; i < heldLane.length; i++) {
    const x0 = scale.x[heldColumn0[i]];
    const x1 = Math.max(x0 + 1, scale.x[heldColumn1[i]]);
    const y0 = scale.y(heldLane[i], heldOffset[i]);
    const y1 = Math.max(y0 + 1, scale.y(heldLane[i], heldOffset[i] + heldBytes[i]));
    raster.fill(x0, y0, x1, y1, fill);
    // A line where it is acquired, and where it is released within the window.
    if (heldColumn0[i] > 0) raster.fill(x0, y0, x0 + line, y1, edge);
    if (heldColumn1[i] < scale.timeline.width) raster.fill(x1 - line, y0, x1, y1, edge);
  }
}

function fillBlocks(raster: Raster, scale: Scale, palette: Palette): void {
  const { lane, offset, bytes, column0, column1, pendingColumn, stack } = scale.timeline;
  const minEdgeSize = MIN_EDGE_SIZE * scale.ratio;
  const line = Math.max(1, Math.round(scale.ratio * 0.75));
  const background = pixelOf(mixed(palette.background, palette.pending, 0.2));
  for (let i = 0; i < lane.length; i++) {
    const x0 = scale.x[column0[i]];
    const x1 = scale.x[column1[i]];
    if (x1 <= 0 || x0 >= raster.width || x1 === x0) continue;
    const y0 = scale.y(lane[i], offset[i]);
    const y1 = Math.max(y0 + 1, scale.y(lane[i], offset[i] + bytes[i]));
    const tint = tintOf(palette, stack[i]);
    raster.fill(x0, y0, x1, y1, palette.fills[tint]);
    if (pendingColumn[i] < column1[i]) {
      raster.hatch(scale.x[pendingColumn[i]], y0, x1, y1, background, palette.fills[tint], scale.ratio);
    }
    if (y1 - y0 < minEdgeSize || x1 - x0 < minEdgeSize) continue;
    raster.fill(x0, y0, x1, y0 + line, palette.edges[tint]);
    raster.fill(x0, y0, x0 + line, y1, palette.edges[tint]);
  }
}
