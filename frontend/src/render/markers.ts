import { bytesText } from '../base/bytes';
import { cssOf } from '../base/colour';
import { type Plot, xOf, yOf } from '../model/plot';
import { columnOfEvent, eventOfColumn, type Timeline } from '../model/timeline';
import { line } from './axes';
import { plate } from './labels';
import type { Palette } from './palette';

type Context = CanvasRenderingContext2D;

/** Reserved bytes as a stepped line over the stack: the space between is cached by the allocator. */
export function drawReserved(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  if (!timeline.reservedKnown) return;
  const path = new Path2D();
  let pen = false;
  let last = NaN;
  for (let c = 0; c < timeline.width; c++) {
    const bytes = timeline.reserved[c];
    if (Number.isNaN(bytes)) {
      pen = false;
      continue;
    }
    const y = yOf(plot, bytes);
    const x = xOf(plot, eventOfColumn(timeline, c));
    if (pen) path.lineTo(x, yOf(plot, last));
    else path.moveTo(x, y);
    path.lineTo(x, y);
    path.lineTo(xOf(plot, eventOfColumn(timeline, c + 1)), y);
    pen = true;
    last = bytes;
  }
  context.strokeStyle = cssOf(palette.ink, 0.75);
  context.lineWidth = 1.5;
  context.stroke(path);
  context.lineWidth = 1;
  nameReserved(context, palette, plot, timeline);
}

/** The line's name, a quarter of the way in from the left or, when the peak's name is there, from the right. */
function nameReserved(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, span } = plot;
  const peak = xOf(plot, timeline.peakEvent) - area.left;
  const share = Math.abs(peak - area.width * 0.25) < 180 ? 0.75 : 0.25;
  const column = columnOfEvent(timeline, span.from + (span.to - span.from) * share);
  const y = yOf(plot, timeline.reserved[column] ?? NaN);
  if (!(y > area.top && y < area.top + area.height)) return;
  plate(context, palette, `reserved ${bytesText(timeline.reserved[column])}`, {
    x: area.left + area.width * share,
    y: y - 12,
    left: area.left,
    right: area.left + area.width,
    colour: palette.muted,
  });
}

/** How much was alive before the recording began. */
export function drawBaseline(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area } = plot;
  const y = yOf(plot, timeline.baselineBytes);
  if (timeline.baselineBytes <= 0 || y < area.top || y > area.top + area.height) return;
  context.strokeStyle = cssOf(palette.ink, 0.8);
  context.setLineDash([6, 4]);
  line(context, area.left, Math.round(y) + 0.5, area.left + area.width, Math.round(y) + 0.5);
  context.setLineDash([]);
  plate(context, palette, `${bytesText(timeline.baselineBytes)} alive before the first event`, {
    x: area.left,
    y: Math.min(area.top + area.height - 11, y + 12),
    left: area.left + 6,
    right: area.left + area.width,
    colour: palette.ink,
  });
}

/** The highest point of the whole trace, when it is in sight. */
export function drawPeak(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, span } = plot;
  const event = timeline.peakEvent + 0.5;
  if (!(event >= span.from && event <= span.to)) return;
  const x = xOf(plot, event);
  const y = Math.max(area.top, yOf(plot, timeline.peakBytes));
  context.fillStyle = cssOf(palette.ink);
  context.beginPath();
  context.moveTo(x, y - 1);
  context.lineTo(x - 5, y - 9);
  context.lineTo(x + 5, y - 9);
  context.fill();
  plate(context, palette, `peak ${bytesText(timeline.peakBytes)}`, {
    x,
    y: Math.max(10, y - 19),
    left: area.left,
    right: area.left + area.width,
    colour: palette.ink,
  });
}

/** Where requests failed: a line down the whole height, and what was asked for as long as the words fit. */
export function drawOoms(context: Context, palette: Palette, plot: Plot, timeline: Timeline): void {
  const { area, span } = plot;
  let taken = -Infinity;
  for (const oom of timeline.ooms) {
    if (oom.event < span.from || oom.event > span.to) continue;
    const x = Math.min(area.left + area.width - 1, Math.round(xOf(plot, oom.event + 0.5)));
    context.strokeStyle = cssOf(palette.bad);
    context.lineWidth = 2;
    line(context, x, area.top, x, area.top + area.height);
    context.lineWidth = 1;
    if (x < taken + 60) continue;
    const asked = Number.isNaN(oom.requestedBytes) ? '' : `: asked ${bytesText(oom.requestedBytes)}`;
    const y = area.top + area.height - 14;
    taken = plate(context, palette, `✕ OOM${asked}`, {
      x,
      y,
      left: area.left,
      right: area.left + area.width,
      colour: palette.bad,
    }).right;
  }
}
