import { itemAt } from '../base/at';
import { cssOf, type Rgb } from '../base/colour';
import { CURVE_MILLIS, type CurvePoint, gapsOf, type CurveSection, sectionsOf } from '../model/live/live-curve';
import { type Plot, xOf, yOf } from '../model/plot';
import { drawByteAxis, line } from './axes';
import { drawLabel, setFont } from './labels';
import type { Palette } from './palette';
import { Surface } from './surface';

type Context = CanvasRenderingContext2D;

const MARGIN = { top: 14, bottom: 24 };
/** CSS pixels between the lines of a hatched gap. */
const HATCH_SPACING = 7;
/** Narrower gaps are not labelled. */
const MIN_GAP_LABEL_WIDTH = 140;
const TICKS_MILLIS = [0, 15_000, 30_000, 45_000, 60_000];

export interface CurveScene {
  readonly palette: Palette;
  readonly points: readonly CurvePoint[];
  /** Time at the right edge, on the same clock as the points. */
  readonly now: number;
  /** Maximum of the byte axis. */
  readonly high: number;
  /** Times of failed requests. */
  readonly failures: readonly number[];
}

/** Draws reserved, active and allocated bytes of the last minute. */
export class LiveCurvePainter {
  private readonly surface: Surface;

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  fit(): boolean {
    return this.surface.fit();
  }

  paint(scene: CurveScene): void {
    const { palette, points, now } = scene;
    const context = this.surface.begin(cssOf(palette.background));
    const area = this.surface.areaWithin(MARGIN);
    const plot: Plot = { area, range: { from: now - CURVE_MILLIS, to: now }, low: 0, high: scene.high };
    drawByteAxis(context, palette, plot);
    this.drawTimeAxis(context, palette, plot);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top - 2, area.width, area.height + 3);
    context.clip();
    drawGaps(context, palette, plot, points);
    this.fillAllocated(context, palette, plot, points);
    this.stroke(context, plot, points, (point) => point.maxActive, palette.pending, [5, 3]);
    this.stroke(context, plot, points, (point) => point.maxReserved, palette.ink, []);
    for (const failure of scene.failures) this.drawFailure(context, palette, plot, failure);
    context.restore();
  }

  private drawTimeAxis(context: Context, palette: Palette, plot: Plot): void {
    const { area } = plot;
    const bottom = area.top + area.height;
    context.strokeStyle = cssOf(palette.line);
    line(context, area.left, bottom + 0.5, area.left + area.width, bottom + 0.5);
    setFont(context, palette);
    context.fillStyle = cssOf(palette.muted);
    context.textBaseline = 'top';
    for (const ago of TICKS_MILLIS) {
      const x = Math.round(xOf(plot, plot.range.to - ago)) + 0.5;
      context.strokeStyle = cssOf(palette.muted);
      line(context, x, bottom, x, bottom + 4);
      context.textAlign = ago === 0 ? 'right' : ago === CURVE_MILLIS ? 'left' : 'center';
      context.fillText(ago === 0 ? 'now' : `−${ago / 1000} s`, x, bottom + 7);
    }
  }

  /** Fills up to the minimum between samples in full colour, and from there to the maximum in a lighter one. */
  private fillAllocated(context: Context, palette: Palette, plot: Plot, points: readonly CurvePoint[]): void {
    const layers: [pick: (point: CurvePoint) => number, alpha: number][] = [
      [(point) => point.maxAllocated, 0.3],
      [(point) => point.minAllocated, 0.55],
    ];
    for (const [pick, alpha] of layers) {
      context.fillStyle = cssOf(palette.allocated, alpha);
      for (const section of sectionsOf(points, plot.range.to)) {
        const path = stepsOf(plot, section, pick);
        path.lineTo(xOf(plot, section.to), yOf(plot, 0));
        path.lineTo(xOf(plot, itemAt(section.points, 0).millis), yOf(plot, 0));
        context.fill(path);
      }
    }
  }

  private stroke(
    context: Context,
    plot: Plot,
    points: readonly CurvePoint[],
    pick: (point: CurvePoint) => number,
    colour: Rgb,
    dash: number[],
  ): void {
    context.strokeStyle = cssOf(colour);
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    for (const section of sectionsOf(points, plot.range.to)) context.stroke(stepsOf(plot, section, pick));
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  private drawFailure(context: Context, palette: Palette, plot: Plot, millis: number): void {
    const x = Math.round(xOf(plot, millis));
    if (x < plot.area.left) return;
    context.strokeStyle = cssOf(palette.bad);
    context.lineWidth = 2;
    line(context, x, plot.area.top, x, plot.area.top + plot.area.height);
    context.lineWidth = 1;
    const { area } = plot;
    const at = { x, y: area.top + area.height - 12, left: area.left, right: area.left + area.width };
    drawLabel(context, palette, '✕ OOM', { ...at, colour: palette.bad });
  }
}

/** Hatches the gaps, so that missing data cannot be mistaken for zero. */
function drawGaps(context: Context, palette: Palette, plot: Plot, points: readonly CurvePoint[]): void {
  const { area } = plot;
  for (const { from, to } of gapsOf(points)) {
    const left = Math.max(area.left, xOf(plot, from));
    const right = xOf(plot, to);
    if (right - left < 1) continue;
    context.save();
    context.beginPath();
    context.rect(left, area.top, right - left, area.height);
    context.clip();
    context.strokeStyle = cssOf(palette.muted, 0.45);
    for (let x = left - area.height; x < right; x += HATCH_SPACING) {
      line(context, x, area.top + area.height, x + area.height, area.top);
    }
    context.restore();
    if (right - left < MIN_GAP_LABEL_WIDTH) continue;
    const at = { x: (left + right) / 2, y: area.top + area.height / 2, left, right };
    drawLabel(context, palette, 'no viewer connected', { ...at, colour: palette.muted });
  }
}

/** A step curve: each point's value is drawn back to the previous point, the last one also to the end of the section. */
function stepsOf(plot: Plot, { points, to }: CurveSection, pick: (point: CurvePoint) => number): Path2D {
  const path = new Path2D();
  let before = itemAt(points, 0);
  path.moveTo(xOf(plot, before.millis), yOf(plot, pick(before)));
  for (const point of points.slice(1)) {
    const y = yOf(plot, pick(point));
    path.lineTo(xOf(plot, before.millis), y);
    path.lineTo(xOf(plot, point.millis), y);
    before = point;
  }
  path.lineTo(xOf(plot, to), yOf(plot, pick(before)));
  return path;
}
