import type { Change } from '../model/live-changes';
import type { LiveMap } from '../model/live-map';
import { blockAtOffset, fittingLineBytes, groupsOf, LEAST_LINE_BYTES, MapLayout } from '../model/map-layout';
import { readMapView, writeMapView } from '../model/map-view';
import { blockAt, segmentOf } from '../model/memory-map';
import { shareAt } from '../model/plot';
import { drawAwaited, drawFlashes, type Flash } from '../render/live-overlay';
import { MapPainter, ROW } from '../render/map-painter';
import type { Palette } from '../render/palette';
import { Address } from './address';
import { listenToHands } from './gestures';
import { onViewKeys } from './keys';

const FLASH_MILLIS = 450;
const MOST_FLASHES = 600;

interface Listener {
  changed(): void;
  /** What is hovered or pinned is another block. */
  looked(): void;
  freeze(): void;
}

/** The map of a live allocator: it grows and shrinks under the eyes, so the scale changes seldom. */
export class LiveMapView {
  private readonly painter: MapPainter;
  private readonly address: Address;
  private readonly flashes: { change: Change; bornMillis: number }[] = [];
  private live: LiveMap | null = null;
  private layout = new MapLayout([], LEAST_LINE_BYTES);
  private wantedLine: number | null;
  private fittedLine = LEAST_LINE_BYTES;
  private topRow: number;
  private pointer: { x: number; y: number } | null = null;
  private turned = 0;
  hovered: number | null = null;
  pinned: bigint | null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly listener: Listener,
  ) {
    this.painter = new MapPainter(canvas);
    this.painter.fit();
    const view = readMapView(location.search);
    this.wantedLine = view.bytesPerLine;
    this.topRow = view.topRow;
    this.pinned = view.selected;
    this.address = new Address(() =>
      writeMapView(location.search, {
        order: 'pool',
        bytesPerLine: this.wantedLine,
        topRow: this.topRow,
        selected: this.pinned,
      }),
    );
    this.listen();
  }

  get bytesPerLine(): number {
    return this.layout.bytesPerLine;
  }

  show(live: LiveMap, palette: Palette): void {
    this.live = live;
    this.arrange();
    this.rehover();
    this.paint(palette);
  }

  flash(changes: readonly Change[]): void {
    const now = performance.now();
    for (const change of changes) this.flashes.push({ change, bornMillis: now });
    if (this.flashes.length > MOST_FLASHES) this.flashes.splice(0, this.flashes.length - MOST_FLASHES);
  }

  paint(palette: Palette): void {
    const { live } = this;
    if (live === null) return;
    const now = performance.now();
    const firstFresh = this.flashes.findIndex((flash) => now - flash.bornMillis < FLASH_MILLIS);
    this.flashes.splice(0, firstFresh < 0 ? this.flashes.length : firstFresh);
    const flashes: Flash[] = this.flashes.map(({ change, bornMillis }) => ({
      change,
      fresh: 1 - (now - bornMillis) / FLASH_MILLIS,
    }));
    this.painter.paint({
      palette,
      map: live.map,
      layout: this.layout,
      topRow: this.topRow,
      hovered: this.hovered,
      selected: this.pinned === null ? null : blockAt(live.map, this.pinned),
      over: (context, boxesOf) => {
        drawFlashes(context, palette, live, flashes, boxesOf);
        drawAwaited(context, palette, live, boxesOf);
      },
    });
  }

  /** True when the canvas has another size. */
  resized(): boolean {
    if (!this.painter.fit()) return false;
    this.fittedLine = LEAST_LINE_BYTES;
    this.arrange();
    return true;
  }

  zoom(factor: number): void {
    const line = (this.wantedLine ?? this.fittedLine) * factor;
    if (line < LEAST_LINE_BYTES || line > 2 ** 45) return;
    this.wantedLine = line === this.fittedLine ? null : line;
    this.changed();
  }

  fit(): void {
    this.wantedLine = null;
    this.topRow = 0;
    this.changed();
  }

  pin(address: bigint | null): void {
    this.pinned = address;
    this.changed();
    this.listener.looked();
  }

  private changed(): void {
    this.arrange();
    this.address.changed();
    this.listener.changed();
  }

  /**
   * A fitted scale grows as soon as it must, and shrinks only when a quarter would do: else a segment that comes and goes
   * would make everything jump.
   */
  private arrange(): void {
    if (this.live === null) return;
    const groups = groupsOf(this.live.map, 'pool');
    const rows = Math.max(4, Math.floor(this.painter.rows));
    const fitting = fittingLineBytes(groups, rows);
    if (fitting > this.fittedLine || fitting <= this.fittedLine / 4) this.fittedLine = fitting;
    this.layout = new MapLayout(groups, this.wantedLine ?? this.fittedLine);
    this.canvas.style.touchAction = this.layout.rowCount > this.painter.rows ? 'none' : 'pan-y';
    this.topRow = Math.min(Math.max(0, this.layout.rowCount - this.painter.rows), Math.max(0, this.topRow));
  }

  private rehover(): void {
    this.hovered = this.pointer === null ? null : this.blockAtPoint(this.pointer.x, this.pointer.y);
  }

  private blockAtPoint(x: number, y: number): number | null {
    const { area } = this.painter;
    if (this.live === null || y < area.top || y > area.top + area.height) return null;
    const row = Math.floor(this.topRow + (y - area.top) / ROW);
    const at = this.layout.offsetAt(row, shareAt(area, x));
    return at === null ? null : blockAtOffset(this.live.map, this.layout.groups[at.group], at.offset);
  }

  private pan(rows: number): void {
    this.topRow += rows;
    this.changed();
  }

  /** Pins the block before or after the pinned one and brings it into sight. */
  private step(by: number): void {
    if (this.live === null) return;
    const { map } = this.live;
    const now = this.pinned === null ? null : blockAt(map, this.pinned);
    const next = now === null ? 0 : now + by;
    if (next < 0 || next >= map.state.length) return;
    const segment = segmentOf(map, next);
    const place = this.layout.placeOf(segment);
    if (place !== null) {
      const offset = place.offset + Number(map.blockAddress[next] - map.address[segment]);
      const row = this.layout.rowOf(place.group, offset);
      if (row < this.topRow || row > this.topRow + this.painter.rows - 1) this.topRow = row - this.painter.rows / 2;
    }
    this.pin(map.blockAddress[next]);
  }

  private listen(): void {
    const look = (x: number, y: number) => {
      this.pointer = { x, y };
      this.rehover();
      this.listener.looked();
      this.listener.changed();
    };
    listenToHands(this.canvas, {
      zoom: (factor) => {
        this.turned += Math.log2(factor);
        if (Math.abs(this.turned) < 0.24) return;
        this.zoom(this.turned < 0 ? 0.5 : 2);
        this.turned = 0;
      },
      pan: (_dx, dy) => this.pan(-dy / ROW),
      range: () => undefined,
      rangeEnd: () => undefined,
      hover: look,
      leave: () => {
        this.pointer = null;
        this.hovered = null;
        this.listener.looked();
        this.listener.changed();
      },
      click: (x, y) => {
        const block = this.blockAtPoint(x, y);
        const address = block === null || this.live === null ? null : this.live.map.blockAddress[block];
        this.pin(address === this.pinned ? null : address);
      },
      doubleClick: () => this.fit(),
    });
    const known: Readonly<Record<string, () => void>> = {
      w: () => this.zoom(0.5),
      s: () => this.zoom(2),
      '+': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      a: () => this.pan(-3),
      d: () => this.pan(3),
      f: () => this.fit(),
      ' ': () => this.listener.freeze(),
      ArrowUp: () => this.pan(-1),
      ArrowDown: () => this.pan(1),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Escape: () => this.pin(null),
    };
    onViewKeys(this.canvas, (key) => {
      const action = known[key];
      action?.();
      return action !== undefined;
    });
  }
}
