import { itemAt, numberAt } from '../base/at';
import { bytesText } from '../base/bytes';
import { cssOf } from '../base/colour';
import { type Plot, xOf, yOf } from '../model/plot';
import { eventOfColumn, type Timeline } from '../model/timeline';
import { drawLabel } from './labels';
import type { Palette } from './palette';

/** Above this height in CSS pixels an outline has a label. */
const LEAST_LABEL = 18;

/**
 * Outlines above the stack what each private pool reserves and nothing in it uses: the stack and the outlines together are
 * the active memory with the whole private pools.
 */
export function drawPoolOutlines(
  context: CanvasRenderingContext2D,
  palette: Palette,
  plot: Plot,
  timeline: Timeline,
): void {
  const { pools, width, activeMax } = timeline;
  if (pools === null) return;
  const base = Float64Array.from(activeMax);
  for (const [pool, name] of pools.names.entries()) {
    const top = base.map((bytes, c) => bytes + unusedBytes(timeline, pool, c));
    const path = new Path2D();
    let widest = -1;
    for (let c = 0; c < width; c++) {
      if (numberAt(top, c) <= numberAt(base, c)) continue;
      const x0 = xOf(plot, eventOfColumn(timeline, c));
      let end = c;
      while (end + 1 < width && top[end + 1] === top[c] && base[end + 1] === base[c]) end++;
      const x1 = xOf(plot, eventOfColumn(timeline, end + 1));
      path.rect(x0, yOf(plot, numberAt(top, c)), x1 - x0, yOf(plot, numberAt(base, c)) - yOf(plot, numberAt(top, c)));
      if (
        isVisible(plot, x0) &&
        (widest < 0 || numberAt(top, c) - numberAt(base, c) > numberAt(top, widest) - numberAt(base, widest))
      )
        widest = c;
      c = end;
    }
    const colour = itemAt(palette.tints, pool % palette.tints.length);
    context.fillStyle = cssOf(colour, 0.22);
    context.fill(path);
    context.strokeStyle = cssOf(colour);
    line(context, plot, timeline, base, top);
    if (widest >= 0 && yOf(plot, numberAt(base, widest)) - yOf(plot, numberAt(top, widest)) > LEAST_LABEL) {
      const reserved = bytesText(numberAt(pools.reserved, pool * width + widest));
      drawLabel(context, palette, `${name}: ${reserved} reserved`, {
        x: xOf(plot, eventOfColumn(timeline, widest)) + 90,
        y: Math.max(plot.area.top, yOf(plot, numberAt(top, widest))) + 11,
        left: plot.area.left,
        right: plot.area.left + plot.area.width,
        colour: palette.ink,
      });
    }
    base.set(top);
  }
}

/** The upper edge, where there is something below it. */
function line(
  context: CanvasRenderingContext2D,
  plot: Plot,
  timeline: Timeline,
  base: Float64Array,
  top: Float64Array,
): void {
  const path = new Path2D();
  for (let c = 0; c < timeline.width; c++) {
    if (numberAt(top, c) <= numberAt(base, c)) continue;
    const y = yOf(plot, numberAt(top, c));
    const x = xOf(plot, eventOfColumn(timeline, c));
    if (c > 0 && numberAt(top, c - 1) > numberAt(base, c - 1)) path.lineTo(x, y);
    else path.moveTo(x, y);
    path.lineTo(xOf(plot, eventOfColumn(timeline, c + 1)), y);
  }
  context.stroke(path);
}

function isVisible({ area }: Plot, x: number): boolean {
  return x >= area.left && x < area.left + area.width;
}

function unusedBytes({ pools, width }: Timeline, pool: number, column: number): number {
  if (pools === null) return 0;
  const i = pool * width + column;
  return Math.max(0, numberAt(pools.reserved, i) - numberAt(pools.active, i));
}
