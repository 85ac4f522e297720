import type { Area } from '../model/plot';

/** Margins left and right of a plot; shared by all charts, so that charts above each other line up. */
export function sideMargins(width: number): { left: number; right: number } {
  return { left: width < 480 ? 58 : 72, right: 14 };
}

/** A canvas at the resolution of the screen: laid out in CSS pixels, stored in device pixels. */
export class Surface {
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels. */
  width = 0;
  height = 0;
  /** Device pixels per CSS pixel. */
  ratio = 1;

  constructor(readonly canvas: HTMLCanvasElement) {
    // Rectangles are written pixel by pixel, so the canvas is kept in main memory, not on a GPU.
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('This browser does not support 2D canvas.');
    this.context = context;
  }

  /** Resizes the canvas to its CSS box. Returns whether the size changed. */
  fit(): boolean {
    const width = Math.max(1, Math.round(this.canvas.clientWidth));
    const height = Math.max(1, Math.round(this.canvas.clientHeight));
    const ratio = Math.min(3, Math.max(1, devicePixelRatio || 1));
    if (width === this.width && height === this.height && ratio === this.ratio) return false;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    return true;
  }

  /** The plot area within the side margins and the given top and bottom margins, in CSS pixels. */
  areaWithin(margin: { top: number; bottom: number }): Area {
    const { left, right } = sideMargins(this.width);
    return {
      left,
      top: margin.top,
      width: Math.max(1, this.width - left - right),
      height: Math.max(1, this.height - margin.top - margin.bottom),
    };
  }

  /** Clears the canvas and sets the transform to CSS pixels. */
  begin(background: string): CanvasRenderingContext2D {
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = background;
    context.fillRect(0, 0, this.width, this.height);
    return context;
  }
}
