import { cssOf } from '../base/colour';
import { countedText } from '../base/numbers';
import type { Heights } from '../model/heights';
import { type Area, type Plot, xOf, yOf } from '../model/plot';
import type { Span } from '../model/span';
import { rectanglesOf } from '../model/stacking';
import { columnOfEvent, eventOfColumn, type Timeline } from '../model/timeline';
import { drawByteAxis, drawEventAxis, line } from './axes';
import { plate } from './labels';
import { drawBaseline, drawOoms, drawPeak, drawReserved } from './markers';
import type { Palette } from './palette';
import { Raster } from './raster';
import { rasterStack } from './stack-raster';
import { Surface } from './surface';

/** Everything one picture of the timeline depends on. */
export interface TimelineScene {
  readonly palette: Palette;
  readonly span: Span;
  readonly heights: Heights;
  readonly overview: Timeline;
  readonly detail: Timeline;
  /** Rows of allocations, or null. */
  readonly hovered: number | null;
  readonly selected: number | null;
  /** The event under the pointer, or null. */
  readonly pointerEvent: number | null;
  /** A range being selected, or null. */
  readonly range: Span | null;
}

const MARGIN = { top: 30, bottom: 42 };

/** Draws the active-memory timeline. The stack is kept as pixels while only the pointer moves. */
export class TimelinePainter {
  private readonly surface: Surface;
  private raster = new Raster(1, 1);
  private drawn: TimelineScene | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  /** Fits the canvas to its box; true when the size changed and a paint is due. */
  fit(): boolean {
    const changed = this.surface.fit();
    if (changed) this.drawn = null;
    return changed;
  }

  get area(): Area {
    return this.surface.areaWithin(MARGIN);
  }

  /** Device pixels of the plot: what the server is asked for. */
  get pixels(): { width: number; height: number } {
    const { ratio } = this.surface;
    return { width: Math.round(this.area.width * ratio), height: Math.round(this.area.height * ratio) };
  }

  plotOf(span: Span, heights: Heights): Plot {
    return { area: this.area, span, low: heights.low, high: heights.high };
  }

  paint(scene: TimelineScene): void {
    const { palette, overview, detail } = scene;
    const plot = this.plotOf(scene.span, scene.heights);
    const context = this.surface.begin(cssOf(palette.paper));
    this.rasterize(scene, plot);
    const { ratio } = this.surface;
    this.raster.show(context, Math.round(plot.area.left * ratio), Math.round(plot.area.top * ratio));
    drawByteAxis(context, palette, plot);
    drawEventAxis(context, palette, plot, detail);
    context.save();
    context.beginPath();
    context.rect(plot.area.left, 0, plot.area.width, this.surface.height);
    context.clip();
    drawReserved(context, palette, plot, detail);
    drawBaseline(context, palette, plot, overview);
    this.restLabel(context, scene, plot);
    if (scene.selected !== null) highlight(context, scene, plot, scene.selected);
    if (scene.hovered !== null && scene.hovered !== scene.selected) highlight(context, scene, plot, scene.hovered);
    drawOoms(context, palette, plot, overview);
    drawPeak(context, palette, plot, overview);
    this.pointer(context, scene, plot);
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
      drawn.span === scene.span &&
      drawn.heights.low === scene.heights.low &&
      drawn.heights.high === scene.heights.high;
    if (same) return;
    const { width, height } = this.pixels;
    if (this.raster.width !== width || this.raster.height !== height) this.raster = new Raster(width, height);
    rasterStack(this.raster, this.surface.ratio, plot, scene.overview, scene.detail, scene.palette);
  }

  /** Says how many allocations the hatched band stands for, where the band is thick enough to carry words. */
  private restLabel(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot): void {
    const { detail, palette } = scene;
    const column = columnOfEvent(detail, plot.span.from + (plot.span.to - plot.span.from) * 0.3);
    if (column < 0 || detail.summarizedCount === 0) return;
    const top = yOf(plot, detail.activeMax[column]);
    const bottom = yOf(plot, detail.activeMax[column] - detail.rest[column]);
    if (bottom - top < 16) return;
    plate(context, palette, countedText(detail.summarizedCount, 'smaller allocation'), {
      x: xOf(plot, eventOfColumn(detail, column)),
      y: (top + bottom) / 2,
      left: plot.area.left,
      right: plot.area.left + plot.area.width,
      colour: palette.muted,
    });
  }

  private pointer(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot): void {
    const { area } = plot;
    if (scene.range !== null) {
      const x0 = xOf(plot, scene.range.from);
      context.fillStyle = cssOf(scene.palette.accent, 0.2);
      context.fillRect(x0, area.top, xOf(plot, scene.range.to) - x0, area.height);
    }
    if (scene.pointerEvent === null) return;
    const x = Math.round(xOf(plot, scene.pointerEvent)) + 0.5;
    context.strokeStyle = cssOf(scene.palette.ink, 0.45);
    line(context, x, area.top, x, area.top + area.height);
  }
}

/** One allocation over its whole life, filled and outlined so that it stands out by more than colour. */
function highlight(context: CanvasRenderingContext2D, scene: TimelineScene, plot: Plot, allocation: number): void {
  const { detail, palette } = scene;
  const { area } = plot;
  const path = new Path2D();
  for (const i of rectanglesOf(detail, allocation)) {
    const x0 = Math.max(area.left - 3, xOf(plot, eventOfColumn(detail, detail.column0[i])));
    const x1 = Math.min(area.left + area.width + 3, xOf(plot, eventOfColumn(detail, detail.column1[i])));
    const top = Math.max(area.top, yOf(plot, detail.bottom[i] + detail.bytes[i]));
    const bottom = Math.min(area.top + area.height, yOf(plot, detail.bottom[i]));
    if (x1 > x0 && bottom > top) path.rect(x0, top, x1 - x0, Math.max(1.5, bottom - top));
  }
  context.strokeStyle = cssOf(palette.ink);
  context.lineWidth = 3;
  context.stroke(path);
  context.fillStyle = cssOf(palette.accent);
  context.fill(path);
  context.lineWidth = 1;
}
