import { mixed, type Pixel, pixelOf, type Rgb } from '../base/colour';
import { ALLOCATED, INACTIVE, PENDING } from '../model/memory-map';
import type { Palette } from './palette';

const PERIOD = 6;

/** How a pixel is filled: plain (slope 0), or with diagonal stripes in one direction (1) or the other (-1). */
export interface Pattern {
  readonly base: Pixel;
  readonly stripe: Pixel;
  readonly slope: 0 | 1 | -1;
}

/** A colour for each block state. */
type StateColours = Record<typeof ALLOCATED | typeof PENDING | typeof INACTIVE, Rgb>;

/**
 * The patterns of block states: plain for allocated, diagonal stripes for inactive, stripes in the opposite direction for
 * pending free, so that states can be distinguished without colour. A pixel that covers several blocks mixes their
 * colours by bytes.
 */
export class StatePatterns {
  private readonly colours: StateColours;
  private readonly stripes: StateColours;

  constructor(private readonly palette: Palette) {
    this.colours = {
      [ALLOCATED]: palette.allocated,
      [PENDING]: palette.pending,
      [INACTIVE]: mixed(palette.inactive, palette.background, 0.45),
    };
    this.stripes = {
      [ALLOCATED]: palette.allocated,
      [PENDING]: mixed(palette.pending, palette.background, 0.6),
      [INACTIVE]: mixed(palette.inactive, palette.ink, 0.28),
    };
  }

  /**
   * The pattern of pixels covered by the states in these shares; their sum is at most 1, the rest is background. Allocated
   * bytes may have another colour.
   */
  pattern(allocated: number, pending: number, inactive: number, colour = this.palette.allocated): Pattern {
    this.colours[ALLOCATED] = colour;
    this.stripes[ALLOCATED] = colour;
    const dominant =
      allocated >= pending && allocated >= inactive ? ALLOCATED : pending >= inactive ? PENDING : INACTIVE;
    const slope = dominant === ALLOCATED ? 0 : dominant === INACTIVE ? 1 : -1;
    const base = pixelOf(this.blend(this.colours, allocated, pending, inactive));
    return {
      base,
      slope,
      stripe: slope === 0 ? base : pixelOf(this.blend(this.stripes, allocated, pending, inactive)),
    };
  }

  private blend(colours: StateColours, allocated: number, pending: number, inactive: number): Rgb {
    const { background } = this.palette;
    const rest = Math.max(0, 1 - allocated - pending - inactive);
    const sum = (pick: (rgb: Rgb) => number) =>
      pick(colours[ALLOCATED]) * allocated +
      pick(colours[PENDING]) * pending +
      pick(colours[INACTIVE]) * inactive +
      pick(background) * rest;
    return { r: sum((c) => c.r), g: sum((c) => c.g), b: sum((c) => c.b) };
  }
}

/** The colour of a pattern at device pixel (x, y). */
export function patternPixel(pattern: Pattern, x: number, y: number, ratio: number): Pixel {
  if (pattern.slope === 0) return pattern.base;
  const period = Math.round(PERIOD * ratio);
  const at = (((x + pattern.slope * y) % period) + period) % period;
  return at < 1.5 * ratio ? pattern.stripe : pattern.base;
}
