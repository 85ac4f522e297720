import { mixed, pixelOf } from '../base/colour';
import { type Plot } from '../model/plot';
import { type Span, sizeOf } from '../model/span';
import { eventOfColumn, type Timeline } from '../model/timeline';
import { type Palette, tintOf } from './palette';
import type { Raster } from './raster';

/** From this height and width on, in CSS pixels, a rectangle gets an edge: on thin ones, edges would be the picture. */
const EDGE_FROM = 4;

/** A life narrower than this, in CSS pixels: no eye tells the stacks apart by their colour. */
const SLIVER_BELOW = 3;

/** What turns events and bytes into device pixels of a raster. */
interface Scale {
  readonly ratio: number;
  x(event: number): number;
  y(bytes: number): number;
}

/** Fills `raster` with the stacked allocations; where `detail` does not reach, with the outline of `overview`. */
export function rasterStack(
  raster: Raster,
  ratio: number,
  plot: Plot,
  overview: Timeline,
  detail: Timeline,
  palette: Palette,
): void {
  raster.clear(pixelOf(palette.paper));
  const perEvent = raster.width / sizeOf(plot.span);
  const perByte = raster.height / (plot.high - plot.low);
  const scale: Scale = {
    ratio,
    x: (event) => Math.round((event - plot.span.from) * perEvent),
    y: (bytes) => raster.height - Math.round((bytes - plot.low) * perByte),
  };
  outline(raster, scale, overview, { from: plot.span.from, to: detail.from }, palette);
  outline(raster, scale, overview, { from: detail.to, to: plot.span.to }, palette);
  restBand(raster, scale, detail, palette);
  rectangles(raster, scale, detail, palette);
}

/** Active bytes as one quiet shape: what is known of events whose rectangles are still on their way. */
function outline(raster: Raster, scale: Scale, overview: Timeline, span: Span, palette: Palette): void {
  if (span.to <= span.from) return;
  const fill = pixelOf(mixed(palette.paper, palette.muted, 0.25));
  for (let c = 0; c < overview.width; c++) {
    const from = Math.max(span.from, eventOfColumn(overview, c));
    const to = Math.min(span.to, eventOfColumn(overview, c + 1));
    if (to > from) raster.fill(scale.x(from), scale.y(overview.activeMax[c]), scale.x(to), raster.height, fill);
  }
}

function restBand(raster: Raster, scale: Scale, timeline: Timeline, palette: Palette): void {
  const base = pixelOf(mixed(palette.paper, palette.muted, 0.3));
  const stripe = pixelOf(mixed(palette.paper, palette.muted, 0.5));
  for (let c = 0; c < timeline.width; c++) {
    const rest = timeline.rest[c];
    if (rest <= 0) continue;
    const top = timeline.activeMax[c];
    const x0 = scale.x(eventOfColumn(timeline, c));
    const x1 = scale.x(eventOfColumn(timeline, c + 1));
    raster.hatch(x0, scale.y(top), x1, scale.y(top - rest), base, stripe, scale.ratio);
  }
}

function rectangles(raster: Raster, scale: Scale, timeline: Timeline, palette: Palette): void {
  const { column0, column1, lifeColumns, bottom, bytes, stack } = timeline;
  const edgeFrom = EDGE_FROM * scale.ratio;
  const columnWidth = (scale.x(timeline.to) - scale.x(timeline.from)) / Math.max(1, timeline.width);
  const sliver = (SLIVER_BELOW * scale.ratio) / columnWidth;
  const edge = Math.max(1, Math.round(scale.ratio * 0.75));
  const x = new Int32Array(timeline.width + 1);
  for (let c = 0; c <= timeline.width; c++) x[c] = scale.x(eventOfColumn(timeline, c));
  for (let i = 0; i < bottom.length; i++) {
    const x0 = x[column0[i]];
    const x1 = x[column1[i]];
    if (x1 <= 0 || x0 >= raster.width || x1 === x0) continue;
    const y0 = scale.y(bottom[i] + bytes[i]);
    const y1 = scale.y(bottom[i]);
    if (y1 <= 0 || y0 >= raster.height || y1 === y0) continue;
    const isSliver = lifeColumns[i] < sliver;
    const tint = tintOf(palette, stack[i]);
    raster.fill(x0, y0, x1, y1, isSliver ? palette.slivers[tint] : palette.fills[tint]);
    if (y1 - y0 < edgeFrom || x1 - x0 < edgeFrom) continue;
    raster.fill(x0, y0, x1, y0 + edge, palette.edges[tint]);
    raster.fill(x0, y0, x0 + edge, y1, palette.edges[tint]);
  }
}
