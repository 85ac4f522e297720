import { byteAt, intAt, numberAt } from '../base/at';
import { mixed, pixelOf } from '../base/colour';
import { type Plot, xOf } from '../model/plot';
import type { EventRange } from '../model/event-range';
import { eventOfColumn, type Timeline } from '../model/timeline';
import { FADED } from '../model/search-hits';
import { groupTint, type Palette, tintOf } from './palette';
import type { Raster } from './raster';

/** Minimum height and width of a rectangle with an edge, in CSS pixels; edges would cover smaller ones. */
const MIN_EDGE_SIZE = 4;

/** Lifetimes narrower than this many CSS pixels get muted colours: too narrow to distinguish stacks by colour. */
const SLIVER_WIDTH = 3;

/** Converts events and bytes to device pixels of a raster. */
interface Scale {
  readonly ratio: number;
  x(event: number): number;
  y(bytes: number): number;
}

/** Draws the stacked allocations of `detail`; outside its range, the silhouette of `overview`. */
export function rasterStack(
  raster: Raster,
  ratio: number,
  plot: Plot,
  overview: Timeline,
  detail: Timeline,
  palette: Palette,
): void {
  raster.clear(pixelOf(palette.background));
  const perByte = raster.height / (plot.high - plot.low);
  const scale: Scale = {
    ratio,
    x: (event) => Math.round(((xOf(plot, event) - plot.area.left) / plot.area.width) * raster.width),
    y: (bytes) => raster.height - Math.round((bytes - plot.low) * perByte),
  };
  fillSilhouette(raster, scale, overview, { from: plot.range.from, to: detail.from }, palette);
  fillSilhouette(raster, scale, overview, { from: detail.to, to: plot.range.to }, palette);
  fillRest(raster, scale, detail, palette);
  fillRectangles(raster, scale, detail, palette);
}

/** Fills active bytes in a single colour, for events whose rectangles are not loaded yet. */
function fillSilhouette(raster: Raster, scale: Scale, overview: Timeline, range: EventRange, palette: Palette): void {
  if (range.to <= range.from) return;
  const fill = pixelOf(mixed(palette.background, palette.muted, 0.25));
  for (let c = 0; c < overview.width; c++) {
    const from = Math.max(range.from, eventOfColumn(overview, c));
    const to = Math.min(range.to, eventOfColumn(overview, c + 1));
    if (to > from)
      raster.fill(scale.x(from), scale.y(numberAt(overview.activeMax, c)), scale.x(to), raster.height, fill);
  }
}

function fillRest(raster: Raster, scale: Scale, timeline: Timeline, palette: Palette): void {
  const base = pixelOf(mixed(palette.background, palette.muted, 0.3));
  const stripe = pixelOf(mixed(palette.background, palette.muted, 0.5));
  for (let c = 0; c < timeline.width; c++) {
    const rest = numberAt(timeline.rest, c);
    if (rest <= 0) continue;
    const top = numberAt(timeline.activeMax, c);
    const x0 = scale.x(eventOfColumn(timeline, c));
    const x1 = scale.x(eventOfColumn(timeline, c + 1));
    raster.hatch(x0, scale.y(top), x1, scale.y(top - rest), base, stripe, scale.ratio);
  }
}

function fillRectangles(raster: Raster, scale: Scale, timeline: Timeline, palette: Palette): void {
  const { column0, column1, lifetimeColumns, isContinued, bottom, bytes, stack, groups } = timeline;
  const minEdgeSize = MIN_EDGE_SIZE * scale.ratio;
  const columnWidth = (scale.x(timeline.to) - scale.x(timeline.from)) / Math.max(1, timeline.width);
  const sliverColumns = (SLIVER_WIDTH * scale.ratio) / columnWidth;
  const edge = Math.max(1, Math.round(scale.ratio * 0.75));
  const x = new Int32Array(timeline.width + 1);
  for (let c = 0; c <= timeline.width; c++) x[c] = scale.x(eventOfColumn(timeline, c));
  for (let i = 0; i < bottom.length; i++) {
    const x0 = intAt(x, intAt(column0, i));
    const x1 = intAt(x, intAt(column1, i));
    if (x1 <= 0 || x0 >= raster.width || x1 === x0) continue;
    const y0 = scale.y(numberAt(bottom, i) + numberAt(bytes, i));
    const y1 = scale.y(numberAt(bottom, i));
    if (y1 <= 0 || y0 >= raster.height || y1 === y0) continue;
    const isSliver = intAt(lifetimeColumns, i) < sliverColumns;
    const tint =
      groups === null || stack[i] === FADED
        ? tintOf(palette, intAt(stack, i))
        : groupTint(palette, byteAt(groups.groupOf, i), groups.isOrdered);
    raster.fill(x0, y0, x1, y1, (isSliver ? palette.slivers : palette.fills)[tint] ?? 0);
    if (y1 - y0 < minEdgeSize || x1 - x0 < minEdgeSize) continue;
    const edgeColour = palette.edges[tint] ?? 0;
    raster.fill(x0, y0, x1, y0 + edge, edgeColour);
    if (isContinued[i] === 0) raster.fill(x0, y0, x0 + edge, y1, edgeColour);
  }
}
