import { numberAt, wordAt } from '../base/at';
import { cssOf } from '../base/colour';
import { streamText } from '../base/numbers';
import type { Change } from '../model/live/live-changes';
import type { LiveMap } from '../model/live/live-map';
import { segmentOf } from '../model/memory-map';
import type { Area } from '../model/plot';
import { setFont } from './labels';
import type { BoxesOf } from './map-painter';
import type { Palette } from './palette';

type Context = CanvasRenderingContext2D;

/** A highlighted change. It fades from strength 1 to 0. */
export interface Flash {
  readonly change: Change;
  readonly strength: number;
}

/** Up to this many simultaneous flashes are drawn at full strength. */
const FULL_STRENGTH_FLASHES = 40;

/** Narrower coalesced ranges are drawn without a line, in CSS pixels. */
const MIN_LINE_WIDTH = 8;

/** Narrower pending blocks are drawn without a stream label, in CSS pixels. */
const MIN_LABEL_WIDTH = 20;

/**
 * Draws recent changes. Each kind has its own shape: a newly allocated block is filled, a split has an additional line at
 * both ends, a freed block is outlined, and a coalesced range is outlined with a line through it.
 */
export function drawFlashes(
  context: Context,
  palette: Palette,
  { rows }: LiveMap,
  flashes: readonly Flash[],
  boxesOf: BoxesOf,
): void {
  // Many simultaneous flashes are drawn weaker, so that they do not cover the map.
  const scale = Math.min(1, Math.max(0.35, FULL_STRENGTH_FLASHES / flashes.length));
  for (const { change, strength } of flashes) {
    const alpha = strength * scale;
    const row = rows.get(change.segment);
    if (row === undefined) continue;
    const boxes = boxesOf(row, change.from, change.to);
    if (change.kind === 'allocated' || change.kind === 'split') {
      context.fillStyle = cssOf(palette.ink, 0.4 * alpha);
      for (const box of boxes) context.fillRect(box.left, box.top, box.width, box.height);
      if (change.kind === 'split') drawSplitLines(context, palette, boxes, alpha);
    } else drawOutlines(context, palette, boxes, alpha, change.kind === 'coalesced');
  }
}

function drawSplitLines(context: Context, palette: Palette, boxes: readonly Area[], alpha: number): void {
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return;
  context.fillStyle = cssOf(palette.ink, alpha);
  context.fillRect(first.left - 0.5, first.top - 2, 1, first.height + 4);
  context.fillRect(last.left + last.width - 0.5, last.top - 2, 1, last.height + 4);
}

function drawOutlines(context: Context, palette: Palette, boxes: readonly Area[], alpha: number, line: boolean): void {
  context.strokeStyle = cssOf(palette.ink, 0.5 * alpha);
  for (const box of boxes) {
    context.strokeRect(box.left + 0.5, box.top + 0.5, Math.max(1, box.width - 1), box.height - 1);
    if (!line || box.width < MIN_LINE_WIDTH) continue;
    context.beginPath();
    context.moveTo(box.left, box.top + box.height / 2);
    context.lineTo(box.left + box.width, box.top + box.height / 2);
    context.stroke();
  }
}

/** Labels pending blocks with the streams they wait for, where they are wide enough. */
export function drawAwaited(context: Context, palette: Palette, { map, awaited }: LiveMap, boxesOf: BoxesOf): void {
  setFont(context, palette, 600);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [block, streams] of awaited) {
    const segment = segmentOf(map, block);
    const from = Number(wordAt(map.blockAddress, block) - wordAt(map.address, segment));
    const boxes = boxesOf(segment, from, from + numberAt(map.blockBytes, block));
    const box = boxes.reduce<Area | null>(
      (widest, each) => (widest === null || each.width > widest.width ? each : widest),
      null,
    );
    if (box === null || box.width < MIN_LABEL_WIDTH) continue;
    const label = streams.length === 0 ? '→?' : `→${streams.map(streamText).join(',')}`;
    const width = context.measureText(label).width + 4;
    if (width > box.width - 2) continue;
    const middle = box.left + box.width / 2;
    context.fillStyle = cssOf(palette.background, 0.9);
    context.fillRect(middle - width / 2, box.top + 1, width, box.height - 2);
    context.fillStyle = cssOf(palette.ink);
    context.fillText(label, middle, box.top + box.height / 2 + 0.5);
  }
}
