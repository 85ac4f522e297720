import { numberAt } from '../base/at';
import { bytesText } from '../base/bytes';
import { cssOf } from '../base/colour';
import { countText } from '../base/numbers';
import { eventAt, type Plot, xOf, yOf } from '../model/plot';
import { columnOfEvent, eventOfColumn, type Timeline } from '../model/timeline';
import { line } from './axes';
import { drawLabel } from './labels';
import type { Palette } from './palette';

type Context = CanvasRenderingContext2D;

/** Draws reserved bytes as a step line above the stack; the area between them is cached by the allocator. */
export function drawReserved(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  if (!timeline.reservedKnown) return;
  const path = new Path2D();
  let isDrawing = false;
  let last = NaN;
  for (let c = 0; c < timeline.width; c++) {
    const bytes = numberAt(timeline.reserved, c);
    if (Number.isNaN(bytes)) {
      isDrawing = false;
      continue;
    }
    const y = yOf(plot, bytes);
    const x = xOf(plot, eventOfColumn(timeline, c));
    if (isDrawing) path.lineTo(x, yOf(plot, last));
    else path.moveTo(x, y);
    path.lineTo(x, y);
    path.lineTo(xOf(plot, eventOfColumn(timeline, c + 1)), y);
    isDrawing = true;
    last = bytes;
  }
  context.strokeStyle = cssOf(palette.ink, 0.75);
  context.lineWidth = 1.5;
  context.stroke(path);
  context.lineWidth = 1;
  labelReserved(context, palette, plot, timeline);
}

/** Labels the line at a quarter of the width from the left or, if the peak's label is there, from the right. */
function labelReserved(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area } = plot;
  const peak = xOf(plot, timeline.peakEvent) - area.left;
  const share = Math.abs(peak - area.width * 0.25) < 180 ? 0.75 : 0.25;
  const column = columnOfEvent(timeline, eventAt(plot, area.left + area.width * share));
  const y = yOf(plot, timeline.reserved[column] ?? NaN);
  if (!(y > area.top && y < area.top + area.height)) return;
  drawLabel(context, palette, `reserved ${bytesText(numberAt(timeline.reserved, column))}`, {
    x: area.left + area.width * share,
    y: y - 12,
    left: area.left,
    right: area.left + area.width,
    colour: palette.muted,
  });
}

/** Marks the upper edge of the allocations from before the first event, as long as any of them is active. */
export function drawLiveBefore(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, range } = plot;
  const { liveBefore, width } = timeline;
  const eventOf = (column: number) => eventOfColumn(timeline, column);
  let first = -1;
  let previous = 0;
  context.strokeStyle = cssOf(palette.ink, 0.8);
  context.setLineDash([6, 4]);
  context.beginPath();
  for (let column = 0; column < width && !(column > 0 && numberAt(liveBefore, column) <= 0); column++) {
    const end = eventOf(column + 1);
    if (numberAt(liveBefore, column) <= 0 || end < range.from || eventOf(column) > range.to) continue;
    const y = Math.round(yOf(plot, numberAt(liveBefore, column))) + 0.5;
    if (first < 0) {
      first = column;
      context.moveTo(xOf(plot, eventOf(column)), y);
    } else if (liveBefore[column] !== previous) {
      context.lineTo(xOf(plot, eventOf(column)), y);
    }
    context.lineTo(xOf(plot, end), y);
    previous = numberAt(liveBefore, column);
  }
  context.stroke();
  context.setLineDash([]);
  if (first < 0) return;
  const y = yOf(plot, numberAt(liveBefore, first));
  if (y < area.top || y > area.top + area.height) return;
  drawLabel(context, palette, `${bytesText(numberAt(liveBefore, first))} from before the first event`, {
    x: area.left,
    y: Math.min(area.top + area.height - 11, y + 12),
    left: area.left + 6,
    right: area.left + area.width,
    colour: palette.ink,
  });
}

/** Marks the peak of the whole trace if it is visible. */
export function drawPeak(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, range } = plot;
  const event = timeline.peakEvent + 0.5;
  if (!(event >= range.from && event <= range.to)) return;
  const x = xOf(plot, event);
  const y = Math.max(area.top, yOf(plot, timeline.peakBytes));
  context.fillStyle = cssOf(palette.ink);
  context.beginPath();
  context.moveTo(x, y - 1);
  context.lineTo(x - 5, y - 9);
  context.lineTo(x + 5, y - 9);
  context.fill();
  drawLabel(context, palette, `peak ${bytesText(timeline.peakBytes)}`, {
    x,
    y: Math.max(10, y - 19),
    left: area.left,
    right: area.left + area.width,
    colour: palette.ink,
  });
}

/** Marks the event under the cursor by a band of its width, and labels it above those of failed requests. */
export function drawCursor(context: Context, palette: Palette, plot: Plot, event: number): void {
  const { area, range } = plot;
  if (event + 1 < range.from || event > range.to) return;
  const x = xOf(plot, event + 0.5);
  const width = Math.max(3, xOf(plot, event + 1) - xOf(plot, event));
  context.fillStyle = cssOf(palette.accent, 0.22);
  context.fillRect(x - width / 2, area.top, width, area.height);
  context.strokeStyle = cssOf(palette.accent);
  context.lineWidth = 2;
  line(context, x, area.top, x, area.top + area.height);
  context.lineWidth = 1;
  drawLabel(context, palette, `event ${countText(event)}`, {
    x,
    y: area.top + area.height - 34,
    left: area.left,
    right: area.left + area.width,
    colour: palette.accent,
  });
}

/** Marks failed requests with a vertical line and, where there is space, the requested size. */
export function drawOoms(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, range } = plot;
  let labelEnd = -Infinity;
  for (const oom of timeline.ooms) {
    if (oom.event < range.from || oom.event > range.to) continue;
    const x = Math.min(area.left + area.width - 1, Math.round(xOf(plot, oom.event + 0.5)));
    context.strokeStyle = cssOf(palette.bad);
    context.lineWidth = 2;
    line(context, x, area.top, x, area.top + area.height);
    context.lineWidth = 1;
    if (x < labelEnd + 60) continue;
    const requested = Number.isNaN(oom.requestedBytes) ? '' : `: requested ${bytesText(oom.requestedBytes)}`;
    const y = area.top + area.height - 14;
    labelEnd = drawLabel(context, palette, `✕ OOM${requested}`, {
      x,
      y,
      left: area.left,
      right: area.left + area.width,
      colour: palette.bad,
    }).right;
  }
}
