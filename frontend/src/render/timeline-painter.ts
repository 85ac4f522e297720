import { intAt, numberAt } from '../base/at';
import { cssOf } from '../base/colour';
import type { ByteRange } from '../model/byte-range';
import type { TimeScale } from '../model/time-scale';
import { type Area, eventAt, type Plot, xOf, yOf } from '../model/plot';
import type { EventRange } from '../model/event-range';
import { rectanglesOf } from '../model/hit-testing';
import { columnOfEvent, eventOfColumn, type Timeline } from '../model/timeline';
import { drawByteAxis, drawEventAxis, line } from './axes';
import { drawLabel } from './labels';
import { drawCursor, drawLiveBefore, drawOoms, drawPeak, drawReserved } from './markers';
import type { Palette } from './palette';
import { drawPoolOutlines } from './pool-outlines';
import { Raster } from './raster';
import { rasterStack } from './stack-raster';
import { Surface } from './surface';

/** Everything that a drawing of the timeline depends on. */
export interface TimelineScene {
  readonly palette: Palette;
  readonly range: EventRange;
  readonly byteRange: ByteRange;
  readonly scale: TimeScale | null;
  readonly overview: Timeline;
  readonly detail: Timeline;
  /** Rows of allocations, or null. */
  readonly hovered: number | null;
  readonly selected: number | null;
  /** The event under the cursor, or null. */
  readonly cursor: number | null;
  /** The event under the pointer, or null. */
  readonly pointerEvent: number | null;
  /** The range being selected with Shift-drag, or null. */
  readonly zoomRange: EventRange | null;
}

const MARGIN = { top: 30, bottom: 42 };

/** Draws the active-memory timeline. The raster of the stack is reused while only the pointer moves. */
export class TimelinePainter {
  private readonly surface: Surface;
  private raster = new Raster(1, 1);
  private drawn: TimelineScene | null = null;

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

  /** Size of the plot in device pixels, as requested from the server. */
  get pixels(): { width: number; height: number } {
    const { ratio } = this.surface;
    return { width: Math.round(this.area.width * ratio), height: Math.round(this.area.height * ratio) };
  }

  plotOf(range: EventRange, byteRange: ByteRange, scale: TimeScale | null): Plot {
    return { area: this.area, range, low: byteRange.low, high: byteRange.high, scale };
  }

  paint(scene: TimelineScene): void {
    const { palette, overview, detail } = scene;
    const plot = this.plotOf(scene.range, scene.byteRange, scene.scale);
    const context = this.surface.begin(cssOf(palette.background));
    this.rasterize(scene, plot);
    const { ratio } = this.surface;
    this.raster.show(context, Math.round(plot.area.left * ratio), Math.round(plot.area.top * ratio));
    drawByteAxis(context, palette, plot);
    drawEventAxis(context, palette, plot, detail);
    context.save();
    context.beginPath();
    context.rect(plot.area.left, 0, plot.area.width, this.surface.height);
    context.clip();
    drawPoolOutlines(context, palette, plot, detail);
    drawReserved(context, palette, plot, detail);
    drawLiveBefore(context, palette, plot, detail);
    this.labelRest(context, scene, plot);
    if (scene.selected !== null) highlight(context, scene, plot, scene.selected);
    if (scene.hovered !== null && scene.hovered !== scene.selected) highlight(context, scene, plot, scene.hovered);
    drawOoms(context, palette, plot, overview);
    drawPeak(context, palette, plot, overview);
    if (scene.cursor !== null) drawCursor(context, palette, plot, scene.cursor);
    this.drawPointer(context, scene, plot);
    context.restore();
    this.drawn = scene;
  }

  private rasterize(scene: TimelineScene, plot: Plot): void {
    const { drawn } = this;
    const same =
      drawn !== null &&
      drawn.detail === scene.detail &&
      drawn.overview === scene.overview &&
      drawn.palette === scene.palette &&
      drawn.range === scene.range &&
      drawn.byteRange.low === scene.byteRange.low &&
      drawn.byteRange.high === scene.byteRange.high;
    if (same) return;
    const { width, height } = this.pixels;
    if (this.raster.width !== width || this.raster.height !== height) this.raster = new Raster(width, height);
    rasterStack(this.raster, this.surface.ratio, plot, scene.overview, scene.detail, scene.palette);
  }

  /** Labels the hatched band where it is high enough for text. */
  private labelRest(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot): void {
    const { detail, palette } = scene;
    const column = columnOfEvent(detail, eventAt(plot, plot.area.left + plot.area.width * 0.3));
    if (column < 0 || detail.summarizedCount === 0) return;
    const top = yOf(plot, numberAt(detail.activeMax, column));
    const bottom = yOf(plot, numberAt(detail.activeMax, column) - numberAt(detail.rest, column));
    if (bottom - top < 16) return;
    drawLabel(context, palette, 'allocations too small to draw', {
      x: xOf(plot, eventOfColumn(detail, column)),
      y: (top + bottom) / 2,
      left: plot.area.left,
      right: plot.area.left + plot.area.width,
      colour: palette.muted,
    });
  }

  private drawPointer(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot): void {
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
}

/** Highlights one allocation over its lifetime by colour and outline. */
function highlight(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot, allocation: number): void {
  const { detail, palette } = scene;
  const { area } = plot;
  const path = new Path2D();
  for (const i of rectanglesOf(detail, allocation)) {
    const x0 = Math.max(area.left - 3, xOf(plot, eventOfColumn(detail, intAt(detail.column0, i))));
    const x1 = Math.min(area.left + area.width + 3, xOf(plot, eventOfColumn(detail, intAt(detail.column1, i))));
    const top = Math.max(area.top, yOf(plot, numberAt(detail.bottom, i) + numberAt(detail.bytes, i)));
    const bottom = Math.min(area.top + area.height, yOf(plot, numberAt(detail.bottom, i)));
    if (x1 > x0 && bottom > top) path.rect(x0, top, x1 - x0, Math.max(1.5, bottom - top));
  }
  context.strokeStyle = cssOf(palette.ink);
  context.lineWidth = 3;
  context.stroke(path);
  context.fillStyle = cssOf(palette.accent);
  context.fill(path);
  context.lineWidth = 1;
}
