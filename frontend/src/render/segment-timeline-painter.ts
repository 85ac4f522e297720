import { byteAt, intAt, itemAt, numberAt, valueAt, wordAt } from '../base/at';
import { bytesText } from '../base/bytes';
import { cssOf } from '../base/colour';
import type { EventRange } from '../model/event-range';
import { type Area, type Plot, xOf } from '../model/plot';
import type { SegmentTimeline } from '../model/segment-timeline';
import { eventOfColumn, type Timeline } from '../model/timeline';
import { drawEventAxis, line } from './axes';
import { setFont } from './labels';
import { drawCursor, drawOoms } from './markers';
import type { Palette } from './palette';
import { Raster } from './raster';
import { rasterSegments } from './segment-raster';
import { Surface } from './surface';

/** Everything that a drawing depends on. */
export interface SegmentScene {
  readonly palette: Palette;
  readonly range: EventRange;
  readonly overview: Timeline;
  readonly detail: SegmentTimeline;
  /** Rows of allocations, or null. */
  readonly hovered: number | null;
  readonly selected: number | null;
  readonly cursor: number | null;
  readonly pointerEvent: number | null;
  /** The range being selected with Shift-drag, or null. */
  readonly zoomRange: EventRange | null;
}

const MARGIN = { top: 34, bottom: 42 };
const LINE_HEIGHT = 14;
const ACQUIRED_Y = 9;
const RELEASED_Y = 24;
const MARKER_DISTANCE = 5;
/** Between the addresses of thin lanes. */
const ADDRESS_DISTANCE = 40;

/** Draws segments over time. The raster is reused while only the pointer moves. */
export class SegmentTimelinePainter {
  private readonly surface: Surface;
  private raster = new Raster(1, 1);
  private drawn: SegmentScene | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  /** Resizes the canvas to its box. Returns whether the size changed and the canvas must be repainted. */
  fit(): boolean {
    const changed = this.surface.fit();
    if (changed) this.drawn = null;
    return changed;
  }

  get area(): Area {
    return this.surface.areaWithin(MARGIN);
  }

  /** Size of the plot in device pixels. */
  get pixels(): { width: number; height: number } {
    const { ratio } = this.surface;
    return { width: Math.round(this.area.width * ratio), height: Math.round(this.area.height * ratio) };
  }

  /** The byte axis is that of each lane. */
  plotOf(range: EventRange): Plot {
    return { area: this.area, range, low: 0, high: 1 };
  }

  paint(scene: SegmentScene): void {
    const { palette, overview, detail } = scene;
    const plot = this.plotOf(scene.range);
    const { area } = plot;
    const context = this.surface.begin(cssOf(palette.background));
    this.rasterize(scene);
    const { ratio } = this.surface;
    this.raster.show(context, Math.round(area.left * ratio), Math.round(area.top * ratio));
    drawEventAxis(context, palette, plot, overview);
    drawLaneLabels(context, palette, plot, detail);
    context.save();
    context.beginPath();
    context.rect(area.left, 0, area.width, this.surface.height);
    context.clip();
    drawSegmentEvents(context, palette, plot, detail);
    for (const row of [scene.selected, scene.hovered]) if (row !== null) highlight(context, scene, plot, row);
    drawOoms(context, palette, plot, overview);
    if (scene.cursor !== null) drawCursor(context, palette, plot, scene.cursor);
    drawPointer(context, scene, plot);
    context.restore();
    this.drawn = scene;
  }

  private rasterize(scene: SegmentScene): void {
    const { drawn } = this;
    if (
      drawn !== null &&
      drawn.detail === scene.detail &&
      drawn.palette === scene.palette &&
      drawn.range === scene.range
    ) {
      return;
    }
    const { width, height } = this.pixels;
    if (this.raster.width !== width || this.raster.height !== height) this.raster = new Raster(width, height);
    rasterSegments(this.raster, this.surface.ratio, scene.range, scene.detail, scene.palette);
  }
}

/**
 * Labels lanes on the left: size, then as much of size class, stream and kind as there is height for. Of lanes that are
 * too thin, some are labelled with their address.
 */
function drawLaneLabels(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { area }: Plot,
  timeline: SegmentTimeline,
): void {
  setFont(context, palette);
  context.textAlign = 'right';
  context.textBaseline = 'top';
  const perPixel = area.height / timeline.height;
  let free = 0;
  for (let lane = 0; lane < timeline.laneTop.length; lane++) {
    const top = area.top + numberAt(timeline.laneTop, lane) * perPixel;
    const height = numberAt(timeline.laneHeight, lane) * perPixel;
    if (height < LINE_HEIGHT - 2) {
      if (top < free) continue;
      context.fillStyle = cssOf(palette.muted);
      context.fillText(wordAt(timeline.laneAddress, lane).toString(16), area.left - 6, top, area.left - 8);
      free = top + ADDRESS_DISTANCE;
      continue;
    }
    free = top + height;
    const stream = intAt(timeline.laneStream, lane);
    const lines = [
      bytesText(numberAt(timeline.laneBytes, lane)),
      intAt(timeline.lanePartCount, lane) > 1
        ? `in ${timeline.lanePartCount[lane]}`
        : itemAt(['small', 'large', 'mixed'], byteAt(timeline.laneKind, lane)),
      stream < 0 ? 'streams' : `stream ${itemAt(timeline.streams, stream).slice(-6)}`,
    ];
    if (timeline.laneExpandable[lane] !== 0) lines.push('expandable');
    const pool = intAt(timeline.lanePool, lane);
    if (pool >= 0 && timeline.pools[pool] !== '(0, 0)') lines.push('private');
    for (const [i, text] of lines.slice(0, Math.max(1, Math.floor(height / LINE_HEIGHT))).entries()) {
      context.fillStyle = cssOf(i === 0 ? palette.ink : palette.muted);
      context.fillText(text, area.left - 6, top + i * LINE_HEIGHT, area.left - 8);
    }
  }
}

/** Triangles above the lanes: up for memory that is acquired, down, with a line, for memory that is released. */
function drawSegmentEvents(
  context: CanvasRenderingContext2D,
  palette: Palette,
  plot: Plot,
  timeline: SegmentTimeline,
): void {
  const { area } = plot;
  const next = [-Infinity, -Infinity];
  for (let column = 0; column < timeline.width; column++) {
    const x = xOf(plot, (eventOfColumn(timeline, column) + eventOfColumn(timeline, column + 1)) / 2);
    for (const [row, count] of [timeline.acquiredCount[column], timeline.releasedCount[column]].entries()) {
      if (count === 0) continue;
      if (x < valueAt(next, row)) continue;
      next[row] = x + MARKER_DISTANCE;
      if (row === 1) {
        context.strokeStyle = cssOf(palette.warn, 0.35);
        line(context, x, area.top - 4, x, area.top + area.height);
      }
      const y = row === 0 ? ACQUIRED_Y : RELEASED_Y;
      const tip = row === 0 ? -4 : 4;
      context.fillStyle = cssOf(row === 0 ? palette.muted : palette.warn);
      context.beginPath();
      context.moveTo(x, y + tip);
      context.lineTo(x - 4, y - tip);
      context.lineTo(x + 4, y - tip);
      context.fill();
    }
  }
}

/** Highlights one allocation by colour and outline. */
function highlight(context: CanvasRenderingContext2D, scene: SegmentScene, plot: Plot, allocation: number): void {
  const { detail, palette } = scene;
  const i = detail.allocation.indexOf(allocation);
  if (i < 0) return;
  const { area } = plot;
  const perPixel = area.height / detail.height;
  const lane = intAt(detail.lane, i);
  const perByte = (numberAt(detail.laneHeight, lane) * perPixel) / numberAt(detail.laneBytes, lane);
  const x0 = Math.max(area.left - 3, xOf(plot, eventOfColumn(detail, intAt(detail.column0, i))));
  const x1 = Math.min(area.left + area.width + 3, xOf(plot, eventOfColumn(detail, intAt(detail.column1, i))));
  const y = area.top + numberAt(detail.laneTop, lane) * perPixel + numberAt(detail.offset, i) * perByte;
  if (x1 <= x0) return;
  const path = new Path2D();
  path.rect(x0, y, x1 - x0, Math.max(1.5, numberAt(detail.bytes, i) * perByte));
  context.strokeStyle = cssOf(palette.ink);
  context.lineWidth = 3;
  context.stroke(path);
  context.fillStyle = cssOf(palette.accent);
  context.fill(path);
  context.lineWidth = 1;
}

function drawPointer(context: CanvasRenderingContext2D, scene: SegmentScene, plot: Plot): void {
  const { area } = plot;
  if (scene.zoomRange !== null) {
    const x0 = xOf(plot, scene.zoomRange.from);
    context.fillStyle = cssOf(scene.palette.accent, 0.2);
    context.fillRect(x0, area.top, xOf(plot, scene.zoomRange.to) - x0, area.height);
  }
  if (scene.pointerEvent === null) return;
  const x = Math.round(xOf(plot, scene.pointerEvent)) + 0.5;
  context.strokeStyle = cssOf(scene.palette.ink, 0.45);
  line(context, x, area.top, x, area.top + area.height);
}
