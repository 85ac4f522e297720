import { byteAt, intAt, itemAt, numberAt, valueAt, wordAt } from '../base/at';
import { bytesLabel, bytesText } from '../base/bytes';
import { cssOf, mixed, pixelOf } from '../base/colour';
import { byteTicks } from '../base/ticks';
import type { MapLayout } from '../model/map-layout';
import { type AddressRange, type MemoryMap, segmentContaining, segmentOf } from '../model/memory-map';
import type { Area } from '../model/plot';
import { line } from './axes';
import { setFont } from './labels';
import { MapLine } from './map-line';
import type { Palette } from './palette';
import { Raster } from './raster';
import { StatePatterns, patternPixel } from './state-pattern';
import { Surface } from './surface';

/** Height of a row and of the bar in it, in CSS pixels. */
export const ROW_HEIGHT = 20;
const BAR_HEIGHT = 14;
const MARGIN = { top: 26, bottom: 8 };

/** Everything that a drawing of the map depends on. */
export interface MapScene {
  readonly palette: Palette;
  readonly map: MemoryMap;
  readonly layout: MapLayout;
  readonly topRow: number;
  /** Block indices, or null. */
  readonly hovered: number | null;
  readonly selected: number | null;
  /** Memory to outline with dashes, or null. */
  readonly absent?: AddressRange | null;
  /** Index of each block's colour in `palette.tints`; by default allocated blocks have one colour. */
  readonly tints?: Uint8Array | null;
  /** Draws above the bars and below the outlines. */
  readonly overlay?: (context: CanvasRenderingContext2D, boxesOf: BoxesOf) => void;
}

/** The visible boxes of bytes `from` to `to` of segment `segment`. */
export type BoxesOf = (segment: number, from: number, to: number) => Area[];

/** Draws the visible rows of the memory map; the width of a block is proportional to its bytes. */
export class MapPainter {
  private readonly surface: Surface;
  private raster = new Raster(1, 1);
  private line = new MapLine(1);
  private drawn: MapScene | null = null;
  /** Labels of inactive blocks in the raster, with the centre in device pixels. */
  private holes: { readonly x: number; readonly y: number; readonly bytes: number }[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas);
  }

  fit(): boolean {
    const changed = this.surface.fit();
    if (changed) this.drawn = null;
    return changed;
  }

  get area(): Area {
    return this.surface.areaWithin(MARGIN);
  }

  /** The number of visible rows; may be fractional. */
  get rows(): number {
    return this.area.height / ROW_HEIGHT;
  }

  paint(scene: MapScene): void {
    const { palette } = scene;
    const { area } = this;
    const context = this.surface.begin(cssOf(palette.background));
    this.rasterize(scene);
    this.raster.show(context, Math.round(area.left * this.surface.ratio), Math.round(area.top * this.surface.ratio));
    this.drawLabels(context, scene);
    context.save();
    context.beginPath();
    context.rect(area.left - 2, area.top, area.width + 4, area.height);
    context.clip();
    this.drawHoles(context, palette);
    scene.overlay?.(context, (segment, from, to) => this.boxesOf(scene, segment, from, to));
    if (scene.absent) this.outlineAbsent(context, scene, scene.absent);
    if (scene.selected !== null) this.outline(context, scene, scene.selected, 2.5);
    if (scene.hovered !== null && scene.hovered !== scene.selected) this.outline(context, scene, scene.hovered, 1.5);
    context.restore();
    this.drawScrollbar(context, scene);
    this.drawn = scene;
  }

  private rasterize(scene: MapScene): void {
    const { drawn } = this;
    const same =
      drawn?.map === scene.map &&
      drawn.layout === scene.layout &&
      drawn.topRow === scene.topRow &&
      drawn.tints === scene.tints &&
      drawn.palette === scene.palette;
    if (same) return;
    const { ratio } = this.surface;
    const width = Math.round(this.area.width * ratio);
    const height = Math.round(this.area.height * ratio);
    if (this.raster.width !== width || this.raster.height !== height) {
      this.raster = new Raster(width, height);
      this.line = new MapLine(width);
    }
    this.raster.clear(pixelOf(scene.palette.background));
    const patterns = new StatePatterns(scene.palette);
    const labelled = new Set<number>();
    this.holes = [];
    for (let row = Math.floor(scene.topRow); row < scene.topRow + this.rows; row++) {
      const at = scene.layout.lineAt(row);
      if (at === null || at.line < 0) continue;
      const { bytesPerLine, groups } = scene.layout;
      this.line.fill(scene.map, itemAt(groups, at.group), at.line * bytesPerLine, bytesPerLine);
      const top = Math.round(((row - scene.topRow) * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2) * ratio);
      this.drawBar(scene, patterns, top);
      for (const { block, left, right } of this.line.holes) {
        if (labelled.has(block)) continue;
        labelled.add(block);
        const y = top + (BAR_HEIGHT / 2) * ratio;
        this.holes.push({ x: (left + right) / 2, y, bytes: numberAt(scene.map.blockBytes, block) });
      }
    }
  }

  /** Draws `this.line` with its top at device row `top`. */
  private drawBar(scene: MapScene, patterns: StatePatterns, top: number): void {
    const { line, raster } = this;
    const { ratio } = this.surface;
    const { palette, tints } = scene;
    const height = Math.round(BAR_HEIGHT * ratio);
    const border = pixelOf(palette.ink);
    const expandable = pixelOf(palette.accent);
    const blockEdge = pixelOf(mixed(palette.allocated, palette.background, 0.7));
    const underline = Math.max(1, Math.round(2 * ratio));
    for (let x = 0; x < line.width; x++) {
      const allocated = line.cover[x * 3] ?? 0;
      const pending = line.cover[x * 3 + 1] ?? 0;
      const inactive = line.cover[x * 3 + 2] ?? 0;
      if (allocated + pending + inactive < 0.01) continue;
      if (byteAt(line.edge, x) >= 2) raster.fill(x, top, x + 1, top + height, border);
      else if (line.edge[x] === 1) raster.fill(x, top, x + 1, top + height, blockEdge);
      else {
        const block = intAt(line.block, x);
        const tint = tints && block >= 0 ? palette.tints[byteAt(tints, block)] : palette.allocated;
        const pattern = patterns.pattern(allocated, pending, inactive, tint);
        const last = Math.min(raster.height, top + height);
        for (let y = Math.max(0, top); y < last; y++) raster.set(x, y, patternPixel(pattern, x, y - top, ratio));
      }
      if (line.expandable[x] !== 0) raster.fill(x, top + height + 1, x + 1, top + height + 1 + underline, expandable);
    }
  }

  private drawLabels(context: CanvasRenderingContext2D, scene: MapScene): void {
    const { area } = this;
    const { layout, palette } = scene;
    setFont(context, palette);
    context.textBaseline = 'middle';
    context.fillStyle = cssOf(palette.muted);
    for (let row = Math.floor(scene.topRow); row < scene.topRow + this.rows; row++) {
      const at = layout.lineAt(row);
      const y = area.top + (row - scene.topRow + 0.5) * ROW_HEIGHT;
      if (at === null || y < area.top + 4 || y > area.top + area.height) continue;
      if (at.line < 0) {
        setFont(context, palette, 600);
        context.textAlign = 'left';
        context.fillStyle = cssOf(palette.ink);
        context.fillText(itemAt(layout.groups, at.group).label, area.left, y, area.width);
        setFont(context, palette);
        context.fillStyle = cssOf(palette.muted);
      } else {
        context.textAlign = 'right';
        context.fillText(
          bytesLabel(at.line * layout.bytesPerLine, layout.bytesPerLine),
          area.left - 8,
          y,
          area.left - 10,
        );
      }
    }
    this.drawLineAxis(context, scene);
  }

  /** Writes their sizes on inactive blocks. */
  private drawHoles(context: CanvasRenderingContext2D, palette: Palette): void {
    const { ratio } = this.surface;
    const { area } = this;
    setFont(context, palette);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const { x, y, bytes } of this.holes) {
      const text = bytesText(bytes);
      const width = context.measureText(text).width + 6;
      const centre = area.left + x / ratio;
      const middle = area.top + y / ratio;
      context.fillStyle = cssOf(palette.background, 0.88);
      context.fillRect(centre - width / 2, middle - 6, width, 12);
      context.fillStyle = cssOf(palette.muted);
      context.fillText(text, centre, middle + 0.5);
    }
  }

  /** Draws the axis at the top: bytes from the start of the line. */
  private drawLineAxis(context: CanvasRenderingContext2D, { layout, palette }: MapScene): void {
    const { area } = this;
    context.strokeStyle = cssOf(palette.line);
    line(context, area.left, area.top - 0.5, area.left + area.width, area.top - 0.5);
    context.textBaseline = 'bottom';
    const ticks = byteTicks(0, layout.bytesPerLine, Math.max(2, Math.floor(area.width / 120)));
    for (const tick of ticks) {
      const x = Math.round(area.left + (tick / layout.bytesPerLine) * area.width) + 0.5;
      context.strokeStyle = cssOf(palette.muted);
      line(context, x, area.top - 5, x, area.top);
      context.textAlign = tick === 0 ? 'left' : tick === layout.bytesPerLine ? 'right' : 'center';
      context.fillText(tick === 0 ? 'line offset 0' : `+${bytesLabel(tick, valueAt(ticks, 1))}`, x, area.top - 7);
    }
  }

  /** The boxes of bytes `from` to `to` of a segment on the canvas, one for each visible row that contains some of them. */
  private boxesOf(scene: MapScene, segment: number, from: number, to: number): Area[] {
    const { layout } = scene;
    const { area } = this;
    const position = layout.positionOf(segment);
    if (position === null) return [];
    const start = position.offset + from;
    const end = position.offset + to;
    const boxes: Area[] = [];
    const first = Math.max(layout.rowOf(position.group, start), Math.floor(scene.topRow));
    const last = Math.min(layout.rowOf(position.group, Math.max(start, end - 1)), Math.ceil(scene.topRow + this.rows));
    for (let row = first; row <= last; row++) {
      const rowStart = (row - layout.rowOf(position.group, 0)) * layout.bytesPerLine;
      const share = (bytes: number) => Math.min(1, Math.max(0, (bytes - rowStart) / layout.bytesPerLine));
      const left = area.left + share(start) * area.width;
      const width = Math.max(1, area.left + share(end) * area.width - left);
      boxes.push({
        left,
        top: area.top + (row - scene.topRow) * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2,
        width,
        height: BAR_HEIGHT,
      });
    }
    return boxes;
  }

  private outline(context: CanvasRenderingContext2D, scene: MapScene, block: number, width: number): void {
    const { map } = scene;
    const range = { address: wordAt(map.blockAddress, block), bytes: numberAt(map.blockBytes, block) };
    this.outlineRange(context, scene, range, segmentOf(map, block), width);
  }

  private outlineAbsent(context: CanvasRenderingContext2D, scene: MapScene, absent: AddressRange): void {
    const segment = segmentContaining(scene.map, absent.address);
    if (segment === null) return;
    context.save();
    context.setLineDash([5, 4]);
    this.outlineRange(context, scene, absent, segment, 2);
    context.restore();
  }

  private outlineRange(
    context: CanvasRenderingContext2D,
    scene: MapScene,
    { address, bytes }: AddressRange,
    segment: number,
    width: number,
  ): void {
    const { map, palette } = scene;
    const start = Number(address - wordAt(map.address, segment));
    const path = new Path2D();
    for (const box of this.boxesOf(scene, segment, start, Math.min(numberAt(map.bytes, segment), start + bytes))) {
      path.rect(box.left - 1, box.top - 1.5, Math.max(2, box.width) + 2, box.height + 3);
    }
    context.strokeStyle = cssOf(palette.background);
    context.lineWidth = width + 2.5;
    context.stroke(path);
    context.strokeStyle = cssOf(palette.ink);
    context.lineWidth = width;
    context.stroke(path);
    context.lineWidth = 1;
  }

  private drawScrollbar(context: CanvasRenderingContext2D, { layout, palette, topRow }: MapScene): void {
    const { area, rows } = this;
    if (layout.rowCount <= rows) return;
    const length = Math.max(24, (rows / layout.rowCount) * area.height);
    const share = topRow / Math.max(1, layout.rowCount - rows);
    context.fillStyle = cssOf(palette.muted, 0.55);
    context.beginPath();
    context.roundRect(area.left + area.width + 5, area.top + share * (area.height - length), 5, length, 2.5);
    context.fill();
  }
}
