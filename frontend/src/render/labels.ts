import { cssOf, type Rgb } from '../base/colour';
import type { Palette } from './palette';

const FONT_PIXELS = 12;

export function setFont(context: CanvasRenderingContext2D, palette: Palette, weight = 400): void {
  context.font = `${weight} ${FONT_PIXELS}px ${palette.fontText}`;
}

/** Draws text on a box in the background colour, centred on x but within `left` and `right`. Returns the box's extent. */
export function drawLabel(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  at: { x: number; y: number; left: number; right: number; colour: Rgb },
): { left: number; right: number } {
  setFont(context, palette, 600);
  const width = context.measureText(text).width + 10;
  const left = Math.max(at.left, Math.min(at.right - width, at.x - width / 2));
  context.fillStyle = cssOf(palette.background, 0.92);
  context.beginPath();
  context.roundRect(left, at.y - 9, width, 18, 3);
  context.fill();
  context.fillStyle = cssOf(at.colour);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(text, left + 5, at.y + 0.5);
  return { left, right: left + width };
}
