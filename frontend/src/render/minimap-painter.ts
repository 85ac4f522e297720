import { numberAt } from '../base/at';
import { cssOf, mixed } from '../base/colour';
import { type Plot, xOf, yOf } from '../model/plot';
import type { EventRange } from '../model/event-range';
import { eventOfColumn, type Timeline } from '../model/timeline';
import { TimeScale } from '../model/time-scale';
import { line } from './axes';
import type { Palette } from './palette';
import { sideMargins, Surface } from './surface';

/** Draws the whole trace in a strip and marks the visible range. */
export class MinimapPainter {
  private readonly surface: Surface;

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  fit(): boolean {
    return this.surface.fit();
  }

  /** Of segments over time, events are at equal distances. */
  plotOf(overview: Timeline): Plot {
    const { width, height } = this.surface;
    const { left, right } = sideMargins(width);
    const area = { left, top: 3, width: Math.max(1, width - left - right), height: Math.max(1, height - 6) };
    return {
      area,
      range: { from: 0, to: Math.max(1, overview.eventCount) },
      low: 0,
      high: overview.peakBytes * 1.05 || 1,
      scale: overview.timed ? new TimeScale(overview.timed, overview.timed) : null,
    };
  }

  paint(palette: Palette, overview: Timeline, range: EventRange): void {
    const plot = this.plotOf(overview);
    const { area } = plot;
    const bottom = area.top + area.height;
    const context = this.surface.begin(cssOf(palette.background));
    context.fillStyle = cssOf(mixed(palette.background, palette.accent, 0.35));
    context.beginPath();
    context.moveTo(area.left, bottom);
    for (let c = 0; c < overview.width; c++) {
      const y = yOf(plot, numberAt(overview.activeMax, c));
      context.lineTo(xOf(plot, eventOfColumn(overview, c)), y);
      context.lineTo(xOf(plot, eventOfColumn(overview, c + 1)), y);
    }
    context.lineTo(area.left + area.width, bottom);
    context.fill();
    context.strokeStyle = cssOf(palette.bad);
    for (const oom of overview.ooms) {
      const x = Math.min(area.left + area.width - 1, Math.round(xOf(plot, oom.event))) - 0.5;
      line(context, x, area.top, x, bottom);
    }
    const x0 = xOf(plot, range.from);
    const x1 = Math.max(x0 + 2, xOf(plot, range.to));
    context.fillStyle = cssOf(palette.background, 0.62);
    context.fillRect(area.left, 0, x0 - area.left, bottom);
    context.fillRect(x1, 0, area.left + area.width - x1, bottom);
    context.strokeStyle = cssOf(palette.ink);
    context.lineWidth = 1.5;
    context.strokeRect(x0, 1, x1 - x0, bottom - 1);
    context.fillStyle = cssOf(palette.ink);
    for (const x of [x0, x1]) {
      context.beginPath();
      context.roundRect(x - 2.5, bottom / 2 - 9, 5, 18, 2.5);
      context.fill();
    }
    context.lineWidth = 1;
  }
}
