import type { Area } from '../model/plot';

/** What is left free beside a plot for its labels; one rule, so that plots above each other line up. */
export function sidesOf(width: number): { left: number; right: number } {
  return { left: width < 480 ? 58 : 72, right: 14 };
}

/** A canvas kept as sharp as the screen: CSS pixels outside, device pixels inside. */
export class Surface {
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels. */
  width = 0;
  height = 0;
  /** Device pixels a CSS pixel. */
  ratio = 1;

  constructor(readonly canvas: HTMLCanvasElement) {
    // Rectangles are written pixel by pixel, so the canvas lives in main memory, not on a GPU.
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('This browser gives no 2D canvas.');
    this.context = context;
  }

  /** Fits the canvas to its CSS box. True when that changed its size. */
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

  /** The plot between the labels at its sides and a margin above and below, in CSS pixels. */
  areaWithin(margin: { top: number; bottom: number }): Area {
    const { left, right } = sidesOf(this.width);
    return {
      left,
      top: margin.top,
      width: Math.max(1, this.width - left - right),
      height: Math.max(1, this.height - margin.top - margin.bottom),
    };
  }

  /** From here on drawing is in CSS pixels, on a clean sheet. */
  begin(background: string): CanvasRenderingContext2D {
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = background;
    context.fillRect(0, 0, this.width, this.height);
    return context;
  }
}
