import { itemAt, wordAt } from '../../base/at';
import type { Change } from '../../model/live/live-changes';
import type { LiveMap } from '../../model/live/live-map';
import { blockAtOffset, fittingLineBytes, groupsOf, MIN_LINE_BYTES, MapLayout } from '../../model/map-layout';
import { readMapView, writeMapView } from '../../model/map-view';
import { blockAt, segmentOf } from '../../model/memory-map';
import { shareAt } from '../../model/plot';
import { drawAwaited, drawFlashes, type Flash } from '../../render/live-overlay';
import { MapPainter, ROW_HEIGHT } from '../../render/map-painter';
import type { Palette } from '../../render/palette';
import { EarlyInput } from '../request/early-input';
import { PageUrl } from '../request/page-url';
import { listenToGestures } from '../display/gestures';
import { onViewKeys } from '../display/keys';

const FLASH_MILLIS = 450;
const MAX_FLASHES = 600;

interface Listener {
  /** The map must be repainted. */
  changed(): void;
  /** Another block is hovered or pinned. */
  selectionChanged(): void;
  freeze(): void;
}

/** The map of a live allocator. The amount of memory changes constantly, so the scale is adjusted rarely. */
export class LiveMapView {
  private readonly painter: MapPainter;
  private readonly pageUrl: PageUrl;
  private readonly early = new EarlyInput();
  private readonly flashes: { change: Change; startMillis: number }[] = [];
  private live: LiveMap | null = null;
  private layout = new MapLayout([], MIN_LINE_BYTES);
  private chosenLineBytes: number | null;
  private fittedLineBytes = MIN_LINE_BYTES;
  private topRow: number;
  private pointer: { x: number; y: number } | null = null;
  /** Wheel movement accumulated for the next zoom step, as a power of two. */
  private zoomSteps = 0;
  hovered: number | null = null;
  pinned: bigint | null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly listener: Listener,
  ) {
    this.painter = new MapPainter(canvas);
    this.painter.fit();
    const view = readMapView(location.search);
    this.chosenLineBytes = view.bytesPerLine;
    this.topRow = view.topRow;
    this.pinned = view.selected;
    this.pageUrl = new PageUrl(() =>
      writeMapView(
        location.search,
        {
          order: 'pool',
          bytesPerLine: this.chosenLineBytes,
          topRow: this.topRow,
          selected: this.pinned,
          allocation: null,
          event: null,
        },
        0,
      ),
    );
    this.listen();
  }

  get bytesPerLine(): number {
    return this.layout.bytesPerLine;
  }

  /** Changes the map; it is painted by the next call of `paint`. */
  show(live: LiveMap): void {
    this.live = live;
    this.updateLayout();
    this.updateHover();
    this.early.arrived();
  }

  /** Whether highlighted changes are fading. */
  get isAnimated(): boolean {
    return this.flashes.length > 0;
  }

  flash(changes: readonly Change[]): void {
    const now = performance.now();
    for (const change of changes) this.flashes.push({ change, startMillis: now });
    if (this.flashes.length > MAX_FLASHES) this.flashes.splice(0, this.flashes.length - MAX_FLASHES);
  }

  paint(palette: Palette): void {
    const { live } = this;
    if (live === null) return;
    const now = performance.now();
    const firstCurrent = this.flashes.findIndex((flash) => now - flash.startMillis < FLASH_MILLIS);
    this.flashes.splice(0, firstCurrent < 0 ? this.flashes.length : firstCurrent);
    const flashes: Flash[] = this.flashes.map(({ change, startMillis }) => ({
      change,
      strength: 1 - (now - startMillis) / FLASH_MILLIS,
    }));
    this.painter.paint({
      palette,
      map: live.map,
      layout: this.layout,
      topRow: this.topRow,
      hovered: this.hovered,
      selected: this.pinned === null ? null : blockAt(live.map, this.pinned),
      overlay: (context, boxesOf) => {
        drawFlashes(context, palette, live, flashes, boxesOf);
        drawAwaited(context, palette, live, boxesOf);
      },
    });
  }

  /** Adapts to the canvas's size. Returns whether it changed. */
  resize(): boolean {
    if (!this.painter.fit()) return false;
    this.fittedLineBytes = MIN_LINE_BYTES;
    this.updateLayout();
    return true;
  }

  zoom(factor: number): void {
    this.early.do(() => this.zoomBy(factor));
  }

  private zoomBy(factor: number): void {
    const line = (this.chosenLineBytes ?? this.fittedLineBytes) * factor;
    if (line < MIN_LINE_BYTES || line > 2 ** 45) return;
    this.chosenLineBytes = line === this.fittedLineBytes ? null : line;
    this.changed();
  }

  fit(): void {
    this.early.do(() => {
      this.chosenLineBytes = null;
      this.topRow = 0;
      this.changed();
    });
  }

  pin(address: bigint | null): void {
    this.pinned = address;
    this.changed();
    this.listener.selectionChanged();
  }

  private changed(): void {
    this.updateLayout();
    this.pageUrl.scheduleUpdate();
    this.listener.changed();
  }

  /**
   * The fitted bytes per line grow as soon as necessary but shrink only when a quarter is enough. Otherwise a segment that
   * is repeatedly acquired and released would rescale the map each time.
   */
  private updateLayout(): void {
    if (this.live === null) return;
    const groups = groupsOf(this.live.map, 'pool');
    const rows = Math.max(4, Math.floor(this.painter.rows));
    const fitting = fittingLineBytes(groups, rows);
    if (fitting > this.fittedLineBytes || fitting <= this.fittedLineBytes / 4) this.fittedLineBytes = fitting;
    this.layout = new MapLayout(groups, this.chosenLineBytes ?? this.fittedLineBytes);
    this.canvas.style.touchAction = this.layout.rowCount > this.painter.rows ? 'none' : 'pan-y';
    this.topRow = Math.min(Math.max(0, this.layout.rowCount - this.painter.rows), Math.max(0, this.topRow));
  }

  private updateHover(): void {
    this.hovered = this.pointer === null ? null : this.blockAtPoint(this.pointer.x, this.pointer.y);
  }

  private blockAtPoint(x: number, y: number): number | null {
    const { area } = this.painter;
    if (this.live === null || y < area.top || y > area.top + area.height) return null;
    const row = Math.floor(this.topRow + (y - area.top) / ROW_HEIGHT);
    const at = this.layout.offsetAt(row, shareAt(area, x));
    return at === null ? null : blockAtOffset(this.live.map, itemAt(this.layout.groups, at.group), at.offset);
  }

  private pan(rows: number): void {
    this.early.do(() => {
      this.topRow += rows;
      this.changed();
    });
  }

  /** Pins the next or previous block and scrolls to it. */
  private step(by: number): void {
    if (this.live === null) return;
    const { map } = this.live;
    const current = this.pinned === null ? null : blockAt(map, this.pinned);
    const next = current === null ? 0 : current + by;
    if (next < 0 || next >= map.state.length) return;
    const segment = segmentOf(map, next);
    const position = this.layout.positionOf(segment);
    if (position !== null) {
      const offset = position.offset + Number(wordAt(map.blockAddress, next) - wordAt(map.address, segment));
      const row = this.layout.rowOf(position.group, offset);
      if (row < this.topRow || row > this.topRow + this.painter.rows - 1) this.topRow = row - this.painter.rows / 2;
    }
    this.pin(wordAt(map.blockAddress, next));
  }

  private listen(): void {
    const moved = (x: number, y: number) => {
      this.pointer = { x, y };
      this.updateHover();
      this.listener.selectionChanged();
      this.listener.changed();
    };
    listenToGestures(this.canvas, {
      zoom: (factor) => {
        this.zoomSteps += Math.log2(factor);
        if (Math.abs(this.zoomSteps) < 0.24) return;
        this.zoom(this.zoomSteps < 0 ? 0.5 : 2);
        this.zoomSteps = 0;
      },
      pan: (_dx, dy) => this.pan(-dy / ROW_HEIGHT),
      selectRange: () => undefined,
      selectRangeEnd: () => undefined,
      hover: moved,
      leave: () => {
        this.pointer = null;
        this.hovered = null;
        this.listener.selectionChanged();
        this.listener.changed();
      },
      click: (x, y) => {
        const block = this.blockAtPoint(x, y);
        const address = block === null || this.live === null ? null : wordAt(this.live.map.blockAddress, block);
        this.pin(address === this.pinned ? null : address);
      },
      doubleClick: () => this.fit(),
    });
    const actions: Readonly<Record<string, () => void>> = {
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
      ArrowLeft: () => this.early.do(() => this.step(-1)),
      ArrowRight: () => this.early.do(() => this.step(1)),
      Escape: () => this.early.do(() => this.pin(null)),
    };
    onViewKeys(this.canvas, (key) => {
      const action = actions[key];
      action?.();
      return action !== undefined;
    });
  }
}
