import { itemAt } from '../base/at';
import { mixed, type Pixel, pixelOf, hashIndex, type Rgb } from '../base/colour';
import { OTHER_GROUP } from '../model/colour-by';
import { FADED } from '../model/search-hits';

/** The page's colours, read from its custom properties. */
export interface Palette {
  /** Background of the canvas. */
  readonly background: Rgb;
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
  /**
   * Colours of rectangles: eight hues in three shades for stacks, six steps from pale to strong for classes of a quantity,
   * grey for what is unknown, and faded.
   */
  readonly tints: readonly Rgb[];
  /** The same to fill with. */
  readonly fills: readonly Pixel[];
  readonly edges: readonly Pixel[];
  /** Muted versions of `fills` for very narrow rectangles: many full colours side by side look like noise. */
  readonly slivers: readonly Pixel[];
}

/** Share of the background mixed into a hue. */
const SHADES = [0.18, 0.38, 0.56];
const HUES = 8;
/** The same of the classes of a quantity. */
const STEPS = [0.82, 0.66, 0.5, 0.34, 0.18, 0];

/** Reads the custom properties as computed for `element`; any CSS colour, such as `light-dark()` or `oklch()`, becomes RGB. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser does not support 2D canvas.');
  const read = (name: string, fallback: string): Rgb => {
    probe.style.color = `var(${name}, ${fallback})`;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
    return { r, g, b };
  };
  const background = read('--panel', '#fff');
  const series = Array.from({ length: HUES }, (_, i) => read(`--series-${i + 1}`, '#4477aa'));
  const blue = itemAt(series, 0);
  const muted = read('--muted', '#666');
  const tints = SHADES.flatMap((shade) => series.map((hue) => mixed(hue, background, shade)));
  tints.push(...STEPS.map((share) => mixed(blue, background, share)));
  tints.push(mixed(muted, background, 0.5), mixed(muted, background, 0.85));
  const neutral = mixed(background, blue, 0.4);
  const palette: Palette = {
    background,
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
    tints,
    fills: tints.map(pixelOf),
    slivers: tints.map((tint, i) => pixelOf(i === tints.length - 1 ? tint : mixed(neutral, tint, 0.25))),
    edges: tints.map((tint) => pixelOf(mixed(tint, background, 0.65))),
  };
  probe.remove();
  return palette;
}

/** Index into the colours of a stack's one, the same on every page load; -1 is unknown. */
export function tintOf(palette: Palette, stack: number): number {
  if (stack === FADED) return palette.fills.length - 1;
  return stack < 0 ? unknownTint(palette) : hashIndex(stack, HUES * SHADES.length);
}

/** Index into the colours of a group's one. */
export function groupTint(palette: Palette, group: number, isOrdered: boolean): number {
  if (group === OTHER_GROUP) return unknownTint(palette);
  return isOrdered ? HUES * SHADES.length + Math.min(group, STEPS.length - 1) : group % HUES;
}

function unknownTint(palette: Palette): number {
  return palette.fills.length - 2;
}
