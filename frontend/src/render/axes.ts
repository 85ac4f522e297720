import { valueAt } from '../base/at';
import { bytesLabel } from '../base/bytes';
import { cssOf } from '../base/colour';
import { countText } from '../base/numbers';
import { byteTicks, countTicks } from '../base/ticks';
import { relativeTimeLabel } from '../base/time';
import { type Plot, xOf, yOf } from '../model/plot';
import type { TimeScale } from '../model/time-scale';
import { microsAt, type Timeline } from '../model/timeline';
import { setFont } from './labels';
import type { Palette } from './palette';

/** Draws the byte axis on the left, with labels in binary units and faint grid lines. */
export function drawByteAxis(context: CanvasRenderingContext2D, palette: Palette, plot: Plot): void {
  const { area } = plot;
  const ticks = byteTicks(plot.low, plot.high, Math.max(2, Math.floor(area.height / 44)));
  const step = stepOf(ticks);
  setFont(context, palette);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of ticks) {
    const y = Math.round(yOf(plot, tick)) + 0.5;
    context.strokeStyle = cssOf(palette.ink, 0.1);
    line(context, area.left, y, area.left + area.width, y);
    context.fillStyle = cssOf(palette.muted);
    context.fillText(bytesLabel(tick, step), area.left - 8, y);
  }
  context.strokeStyle = cssOf(palette.line);
  line(context, area.left - 0.5, area.top, area.left - 0.5, area.top + area.height);
  if (plot.low > 0) drawAxisBreak(context, palette, plot);
}

/** Draws event numbers below the plot and, where the trace has timestamps, the time since the first event. */
export function drawEventAxis(
  context: CanvasRenderingContext2D,
  palette: Palette,
  plot: Plot,
  timeline: Timeline,
): void {
  const { area, range } = plot;
  const bottom = area.top + area.height;
  context.strokeStyle = cssOf(palette.line);
  line(context, area.left, bottom + 0.5, area.left + area.width, bottom + 0.5);
  setFont(context, palette);
  context.textBaseline = 'top';
  if (plot.scale) {
    drawTimeTicks(context, palette, plot, plot.scale);
    return;
  }
  const ticks = countTicks(range.from, range.to, Math.max(2, Math.floor(area.width / 110)));
  const times = ticks.map((tick) => microsAt(timeline, tick));
  const timeStep = times.length > 1 ? (valueAt(times, times.length - 1) - valueAt(times, 0)) / (times.length - 1) : 1;
  for (const [i, tick] of ticks.entries()) {
    const x = Math.round(xOf(plot, tick)) + 0.5;
    context.strokeStyle = cssOf(palette.muted);
    line(context, x, bottom, x, bottom + 4);
    const text = countText(tick);
    const halfWidth = context.measureText(text).width / 2;
    context.textAlign =
      x - halfWidth < area.left ? 'left' : x + halfWidth > area.left + area.width ? 'right' : 'center';
    context.fillStyle = cssOf(palette.ink);
    context.fillText(text, x, bottom + 7);
    const time = valueAt(times, i);
    if (Number.isNaN(time)) continue;
    context.fillStyle = cssOf(palette.muted);
    context.fillText(relativeTimeLabel(time, timeStep), x, bottom + 22);
  }
}

/** The time since the first event, and below it the event at that time or the last one before. */
function drawTimeTicks(context: CanvasRenderingContext2D, palette: Palette, plot: Plot, scale: TimeScale): void {
  const { area, range } = plot;
  const bottom = area.top + area.height;
  const [from, to] = [scale.microsAt(range.from), scale.microsAt(range.to)];
  const ticks = countTicks(from, to, Math.max(2, Math.floor(area.width / 110)));
  const step = stepOf(ticks);
  for (const tick of ticks) {
    const x = Math.round(area.left + ((tick - from) / (to - from)) * area.width) + 0.5;
    context.strokeStyle = cssOf(palette.muted);
    line(context, x, bottom, x, bottom + 4);
    const text = relativeTimeLabel(tick, step);
    const halfWidth = context.measureText(text).width / 2;
    context.textAlign =
      x - halfWidth < area.left ? 'left' : x + halfWidth > area.left + area.width ? 'right' : 'center';
    context.fillStyle = cssOf(palette.ink);
    context.fillText(text, x, bottom + 7);
    context.fillStyle = cssOf(palette.muted);
    context.fillText(countText(Math.max(0, Math.floor(scale.eventAt(tick) + 1e-6))), x, bottom + 22);
  }
}

/** Marks an axis that does not start at zero with a zigzag at its lower end. */
function drawAxisBreak(context: CanvasRenderingContext2D, palette: Palette, { area }: Plot): void {
  const bottom = area.top + area.height;
  context.strokeStyle = cssOf(palette.ink);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(area.left - 5, bottom - 3);
  context.lineTo(area.left, bottom - 7);
  context.lineTo(area.left, bottom - 3);
  context.lineTo(area.left + 5, bottom - 7);
  context.stroke();
  context.lineWidth = 1;
}

export function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** The distance of ticks. */
function stepOf(ticks: readonly number[]): number {
  return ticks.length > 1 ? valueAt(ticks, 1) - valueAt(ticks, 0) : 1;
}
