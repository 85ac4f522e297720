import { cssOf, type Rgb } from '../base/colour';
import type { Palette } from './palette';

const FONT_PIXELS = 12;

export function setFont(context: CanvasRenderingContext2D, palette: Palette, weight = 400): void {
  context.font = `${weight} ${FONT_PIXELS}px ${palette.fontText}`;
}

/** Text on a plate of paper, so that it can be read on any picture; kept between `left` and `right`. Gives its box. */
export function plate(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  at: { x: number; y: number; left: number; right: number; colour: Rgb },
): { left: number; right: number } {
  setFont(context, palette, 600);
  const width = context.measureText(text).width + 10;
  const left = Math.max(at.left, Math.min(at.right - width, at.x - width / 2));
  context.fillStyle = cssOf(palette.paper, 0.92);
  context.beginPath();
  context.roundRect(left, at.y - 9, width, 18, 3);
  context.fill();
  context.fillStyle = cssOf(at.colour);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(text, left + 5, at.y + 0.5);
  return { left, right: left + width };
}
