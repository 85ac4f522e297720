import { byteAt, intAt } from '../base/at';
import { cssOf, mixed } from '../base/colour';
import { type Area, type Plot, xOf } from '../model/plot';
import { nameOf, type NamedRanges } from '../model/named-ranges';
import { setFont } from './labels';
import type { Palette } from './palette';
import { Surface } from './surface';

/** Height of a lane in CSS pixels. */
export const LANE_PIXELS = 18;
const LEAST_LABEL = 26;

/** Draws the steps and annotations above a chart; charts have the same side margins, so both line up. */
export class RangeStripPainter {
  private readonly surface: Surface;

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  fit(): boolean {
    return this.surface.fit();
  }

  get area(): Area {
    return this.surface.areaWithin({ top: 2, bottom: 0 });
  }

  /** `chosen`: the range under the pointer or in focus, or -1. */
  paint(palette: Palette, plot: Plot, ranges: NamedRanges, chosen: number): void {
    const { area } = plot;
    const context = this.surface.begin(cssOf(palette.background));
    setFont(context, palette);
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.fillStyle = cssOf(palette.muted);
    if (ranges.hasSteps) context.fillText('steps', area.left - 8, area.top + LANE_PIXELS / 2);
    if (ranges.laneCount > (ranges.hasSteps ? 1 : 0))
      context.fillText('marks', area.left - 8, area.top + LANE_PIXELS * (ranges.hasSteps ? 1.5 : 0.5));
    context.save();
    context.beginPath();
    context.rect(area.left, 0, area.width, this.surface.height);
    context.clip();
    context.textAlign = 'left';
    for (let i = 0; i < ranges.lane.length; i++) this.paintRange(context, palette, plot, ranges, i, i === chosen);
    context.restore();
  }

  private paintRange(
    context: CanvasRenderingContext2D,
    palette: Palette,
    plot: Plot,
    ranges: NamedRanges,
    i: number,
    isChosen: boolean,
  ): void {
    const { area } = plot;
    const x0 = Math.max(area.left - 2, xOf(plot, intAt(ranges.first, i)));
    const x1 = Math.min(area.left + area.width + 2, xOf(plot, intAt(ranges.end, i)));
    if (x1 <= x0) return;
    const top = area.top + byteAt(ranges.lane, i) * LANE_PIXELS;
    const isStep = ranges.hasSteps && ranges.lane[i] === 0;
    const strength = isChosen ? 0.6 : intAt(ranges.count, i) > 1 ? 0.45 : 0.3;
    context.fillStyle = cssOf(mixed(palette.background, isStep ? palette.accent : palette.muted, strength));
    // A gap of a pixel separates neighbours, unless that would be all of the range.
    context.fillRect(x0, top, Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 1 : 0)), LANE_PIXELS - 2);
    const name = intAt(ranges.count, i) > 1 ? '' : nameOf(ranges, i);
    if (name === '' || x1 - x0 < LEAST_LABEL) return;
    const text = shortened(context, name, isStep, Math.min(x1, area.left + area.width) - Math.max(x0, area.left) - 8);
    context.fillStyle = cssOf(palette.ink);
    context.fillText(text, Math.max(x0, area.left) + 4, top + LANE_PIXELS / 2 - 0.5);
  }
}

/** The text as far as it fits; of a step at least its number; otherwise nothing. */
function shortened(context: CanvasRenderingContext2D, name: string, isStep: boolean, width: number): string {
  if (context.measureText(name).width <= width) return name;
  if (isStep) {
    const number = name.replace(/^step /, '');
    return context.measureText(number).width <= width ? number : '';
  }
  const share = width / context.measureText(name).width;
  for (let length = Math.floor(name.length * share); length > 2; length--) {
    const cut = `${name.slice(0, length)}…`;
    if (context.measureText(cut).width <= width) return cut;
  }
  return '';
}
