import { mixed, type Pixel, pixelOf, placeOf, type Rgb } from '../base/colour';

/** The page's colours, read from its custom properties. */
export interface Palette {
  /** What the canvas lies on. */
  readonly paper: Rgb;
  readonly ink: Rgb;
  readonly muted: Rgb;
  readonly line: Rgb;
  readonly accent: Rgb;
  readonly bad: Rgb;
  readonly warn: Rgb;
  readonly allocated: Rgb;
  readonly pending: Rgb;
  readonly inactive: Rgb;
  readonly fontText: string;
  /** Fill and edge of a stack's rectangles: eight hues in three depths, and last the grey of an unknown stack. */
  readonly fills: readonly Pixel[];
  readonly edges: readonly Pixel[];
  /** As fills, for lives too short to tell apart: side by side, full colours would be noise. */
  readonly slivers: readonly Pixel[];
}

const DEPTHS = [0.18, 0.38, 0.56];

/** Reads the properties as `element` sees them: whatever CSS can say (light-dark(), oklch()) comes out as RGB. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser gives no 2D canvas.');
  const read = (name: string, fallback: string): Rgb => {
    probe.style.color = `var(${name}, ${fallback})`;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return { r, g, b };
  };
  const paper = read('--panel', '#fff');
  const series = Array.from({ length: 8 }, (_, i) => read(`--series-${i + 1}`, '#4477aa'));
  const muted = read('--muted', '#666');
  const tints = DEPTHS.flatMap((depth) => series.map((hue) => mixed(hue, paper, depth)));
  tints.push(mixed(muted, paper, 0.5));
  const quiet = mixed(paper, series[0], 0.4);
  const palette: Palette = {
    paper,
    ink: read('--ink', '#111'),
    muted,
    line: read('--line', '#ddd'),
    accent: read('--accent', '#0072b2'),
    bad: read('--bad', '#b3261e'),
    warn: read('--warn', '#a15c00'),
    allocated: read('--state-allocated', '#4477aa'),
    pending: read('--state-pending', '#ddaa33'),
    inactive: read('--state-inactive', '#bbb'),
    fontText: getComputedStyle(element).fontFamily,
    fills: tints.map(pixelOf),
    slivers: tints.map((tint) => pixelOf(mixed(quiet, tint, 0.25))),
    edges: tints.map((tint) => pixelOf(mixed(tint, paper, 0.65))),
  };
  probe.remove();
  return palette;
}

/** Where a stack's colour lies in `fills` and `edges`: the same on every visit; -1 is the unknown stack. */
export function tintOf(palette: Palette, stack: number): number {
  const unknown = palette.fills.length - 1;
  return stack < 0 ? unknown : placeOf(stack, unknown);
}
