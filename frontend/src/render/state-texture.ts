import { mixed, type Pixel, pixelOf, type Rgb } from '../base/colour';
import { ALLOCATED, INACTIVE, PENDING } from '../model/memory-map';
import type { Palette } from './palette';

const PERIOD = 6;

/** One column of device pixels of a line, and how it is woven: plain, falling stripes or rising stripes. */
export interface Thread {
  readonly base: Pixel;
  readonly stripe: Pixel;
  readonly weave: 0 | 1 | -1;
}

/**
 * What the states of blocks look like. Allocated is plain, inactive has falling stripes, pending free rising ones, so
 * that nothing hangs on colour alone. Pixels that cover several blocks mix their colours by the bytes of each.
 */
export class StateTexture {
  private readonly colours: Rgb[] = [];
  private readonly stripes: Rgb[] = [];

  constructor(private readonly palette: Palette) {
    this.colours[ALLOCATED] = palette.allocated;
    this.colours[PENDING] = palette.pending;
    this.colours[INACTIVE] = mixed(palette.inactive, palette.paper, 0.45);
    this.stripes[ALLOCATED] = palette.allocated;
    this.stripes[PENDING] = mixed(palette.pending, palette.paper, 0.6);
    this.stripes[INACTIVE] = mixed(palette.inactive, palette.ink, 0.28);
  }

  /** A pixel of which the states cover these shares; together at most 1, the remainder is paper. */
  thread(allocated: number, pending: number, inactive: number): Thread {
    const most = allocated >= pending && allocated >= inactive ? ALLOCATED : pending >= inactive ? PENDING : INACTIVE;
    const weave = most === ALLOCATED ? 0 : most === INACTIVE ? 1 : -1;
    const base = pixelOf(this.blend(this.colours, allocated, pending, inactive));
    return {
      base,
      weave,
      stripe: weave === 0 ? base : pixelOf(this.blend(this.stripes, allocated, pending, inactive)),
    };
  }

  private blend(colours: readonly Rgb[], allocated: number, pending: number, inactive: number): Rgb {
    const { paper } = this.palette;
    const rest = Math.max(0, 1 - allocated - pending - inactive);
    const sum = (pick: (rgb: Rgb) => number) =>
      pick(colours[ALLOCATED]) * allocated +
      pick(colours[PENDING]) * pending +
      pick(colours[INACTIVE]) * inactive +
      pick(paper) * rest;
    return { r: sum((c) => c.r), g: sum((c) => c.g), b: sum((c) => c.b) };
  }
}

/** The colour of a thread at the device pixel (x, y). */
export function woven(thread: Thread, x: number, y: number, ratio: number): Pixel {
  if (thread.weave === 0) return thread.base;
  const period = Math.round(PERIOD * ratio);
  const at = (((x + thread.weave * y) % period) + period) % period;
  return at < 1.5 * ratio ? thread.stripe : thread.base;
}
