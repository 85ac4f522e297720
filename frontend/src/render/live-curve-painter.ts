import { cssOf, type Rgb } from '../base/colour';
import { CURVE_MILLIS, type CurvePoint, gapsOf, type Stretch, stretchesOf } from '../model/live-curve';
import { type Plot, xOf, yOf } from '../model/plot';
import { drawByteAxis, line } from './axes';
import { plate, setFont } from './labels';
import type { Palette } from './palette';
import { Surface } from './surface';

type Context = CanvasRenderingContext2D;

const MARGIN = { top: 14, bottom: 24 };
/** Pixels from one line of a hatch to the next, and how wide a gap must be to be named. */
const HATCH = 7;
const GAP_WORDS = 96;
const TICKS_MILLIS = [0, 15_000, 30_000, 45_000, 60_000];

export interface CurveScene {
  readonly palette: Palette;
  readonly points: readonly CurvePoint[];
  /** The right edge, on the clock of the points. */
  readonly now: number;
  /** The top of the axis. */
  readonly high: number;
  /** When requests failed. */
  readonly failures: readonly number[];
}

/** Reserved, active and allocated bytes of the last minute. */
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
    const context = this.surface.begin(cssOf(palette.paper));
    const area = this.surface.areaWithin(MARGIN);
    const plot: Plot = { area, span: { from: now - CURVE_MILLIS, to: now }, low: 0, high: scene.high };
    drawByteAxis(context, palette, plot);
    this.drawTimeAxis(context, palette, plot);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top - 2, area.width, area.height + 3);
    context.clip();
    drawGaps(context, palette, plot, points);
    this.fillAllocated(context, palette, plot, points);
    this.stroke(context, plot, points, (point) => point.mostActive, palette.pending, [5, 3]);
    this.stroke(context, plot, points, (point) => point.mostReserved, palette.ink, []);
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
      const x = Math.round(xOf(plot, plot.span.to - ago)) + 0.5;
      context.strokeStyle = cssOf(palette.muted);
      line(context, x, bottom, x, bottom + 4);
      context.textAlign = ago === 0 ? 'right' : ago === CURVE_MILLIS ? 'left' : 'center';
      context.fillText(ago === 0 ? 'now' : `−${ago / 1000} s`, x, bottom + 7);
    }
  }

  /** From the ground to the least that was allocated in full colour, from there to the most in a light one. */
  private fillAllocated(context: Context, palette: Palette, plot: Plot, points: readonly CurvePoint[]): void {
    const shapes: [pick: (point: CurvePoint) => number, alpha: number][] = [
      [(point) => point.mostAllocated, 0.3],
      [(point) => point.leastAllocated, 0.55],
    ];
    for (const [pick, alpha] of shapes) {
      context.fillStyle = cssOf(palette.allocated, alpha);
      for (const stretch of stretchesOf(points, plot.span.to)) {
        const path = stepsOf(plot, stretch, pick);
        path.lineTo(xOf(plot, stretch.to), yOf(plot, 0));
        path.lineTo(xOf(plot, stretch.points[0].millis), yOf(plot, 0));
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
    for (const stretch of stretchesOf(points, plot.span.to)) context.stroke(stepsOf(plot, stretch, pick));
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
    plate(context, palette, '✕ OOM', { ...at, colour: palette.bad });
  }
}

/** What is not known is hatched: neither a line nor a ground that one could take for zero. */
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
    for (let x = left - area.height; x < right; x += HATCH) {
      line(context, x, area.top + area.height, x + area.height, area.top);
    }
    context.restore();
    if (right - left < GAP_WORDS) continue;
    const at = { x: (left + right) / 2, y: area.top + area.height / 2, left, right };
    plate(context, palette, 'nobody looked', { ...at, colour: palette.muted });
  }
}

/** Each point's value holds from the point before on, and the last one until the stretch ends. */
function stepsOf(plot: Plot, { points, to }: Stretch, pick: (point: CurvePoint) => number): Path2D {
  const path = new Path2D();
  path.moveTo(xOf(plot, points[0].millis), yOf(plot, pick(points[0])));
  for (let i = 1; i < points.length; i++) {
    const y = yOf(plot, pick(points[i]));
    path.lineTo(xOf(plot, points[i - 1].millis), y);
    path.lineTo(xOf(plot, points[i].millis), y);
  }
  path.lineTo(xOf(plot, to), yOf(plot, pick(points[points.length - 1])));
  return path;
}
