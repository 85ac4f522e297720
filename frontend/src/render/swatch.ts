import { cssOf } from '../base/colour';
import type { Palette } from './palette';
import { Raster } from './raster';
import { StatePatterns, patternPixel } from './state-pattern';
import { Surface } from './surface';

/** Draws the pattern of a block state for the legend. */
export function paintSwatch(canvas: HTMLCanvasElement, palette: Palette, state: number): void {
  const surface = new Surface(canvas);
  surface.fit();
  const context = surface.begin(cssOf(palette.background));
  const size = canvas.width;
  const raster = new Raster(size, size);
  const pattern = new StatePatterns(palette).pattern(state === 0 ? 1 : 0, state === 1 ? 1 : 0, state === 2 ? 1 : 0);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) raster.set(x, y, patternPixel(pattern, x, y, surface.ratio));
  raster.show(context, 0, 0);
}
