import { cssOf } from '../base/colour';
import type { Change } from '../model/live-changes';
import type { LiveMap } from '../model/live-map';
import { segmentOf } from '../model/memory-map';
import type { Area } from '../model/plot';
import { setFont } from './labels';
import type { BoxesOf } from './map-painter';
import type { Palette } from './palette';

type Context = CanvasRenderingContext2D;

/** A change, and how fresh it is: 1 just now, 0 gone. */
export interface Flash {
  readonly change: Change;
  readonly fresh: number;
}

/** So many flashes at a time are shown at full strength. */
const CALM = 40;

/** A coalesced piece gets its line from this width on. */
const LINE_FROM = 8;

/** A waiting block gets the name of its stream from this width on. */
const NAME_FROM = 20;

/**
 * What changed a moment ago, fading. Each kind has a shape of its own: a born block stands out, the cut of a split stands
 * as a line at both its ends, what was freed is a hollow box, and what was coalesced has a line through it.
 */
export function drawFlashes(
  context: Context,
  palette: Palette,
  { rows }: LiveMap,
  flashes: readonly Flash[],
  boxesOf: BoxesOf,
): void {
  // Where everything changes, a change is nothing special: many flashes are faint ones.
  const strength = Math.min(1, Math.max(0.35, CALM / flashes.length));
  for (const { change, fresh: left } of flashes) {
    const fresh = left * strength;
    const row = rows.get(change.segment);
    if (row === undefined) continue;
    const boxes = boxesOf(row, change.from, change.to);
    if (change.kind === 'born' || change.kind === 'split') {
      context.fillStyle = cssOf(palette.ink, 0.4 * fresh);
      for (const box of boxes) context.fillRect(box.left, box.top, box.width, box.height);
      if (change.kind === 'split') drawCuts(context, palette, boxes, fresh);
    } else drawHollow(context, palette, boxes, fresh, change.kind === 'coalesced');
  }
}

function drawCuts(context: Context, palette: Palette, boxes: readonly Area[], fresh: number): void {
  const last = boxes.at(-1);
  if (last === undefined) return;
  context.fillStyle = cssOf(palette.ink, fresh);
  context.fillRect(boxes[0].left - 0.5, boxes[0].top - 2, 1, boxes[0].height + 4);
  context.fillRect(last.left + last.width - 0.5, last.top - 2, 1, last.height + 4);
}

function drawHollow(context: Context, palette: Palette, boxes: readonly Area[], fresh: number, line: boolean): void {
  context.strokeStyle = cssOf(palette.ink, 0.5 * fresh);
  for (const box of boxes) {
    context.strokeRect(box.left + 0.5, box.top + 0.5, Math.max(1, box.width - 1), box.height - 1);
    if (!line || box.width < LINE_FROM) continue;
    context.beginPath();
    context.moveTo(box.left, box.top + box.height / 2);
    context.lineTo(box.left + box.width, box.top + box.height / 2);
    context.stroke();
  }
}

/** The streams that waiting blocks wait for, on those that are wide enough. */
export function drawAwaited(context: Context, palette: Palette, { map, awaited }: LiveMap, boxesOf: BoxesOf): void {
  setFont(context, palette, 600);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [block, streams] of awaited) {
    const segment = segmentOf(map, block);
    const from = Number(map.blockAddress[block] - map.address[segment]);
    const boxes = boxesOf(segment, from, from + map.blockBytes[block]);
    const box = boxes.reduce<Area | null>(
      (wide, each) => (wide === null || each.width > wide.width ? each : wide),
      null,
    );
    if (box === null || box.width < NAME_FROM) continue;
    const name = streams.length === 0 ? '→?' : `→${streams.join(',')}`;
    const width = context.measureText(name).width + 4;
    if (width > box.width - 2) continue;
    const middle = box.left + box.width / 2;
    context.fillStyle = cssOf(palette.paper, 0.9);
    context.fillRect(middle - width / 2, box.top + 1, width, box.height - 2);
    context.fillStyle = cssOf(palette.ink);
    context.fillText(name, middle, box.top + box.height / 2 + 0.5);
  }
}
