import { bytesText } from '../base/bytes';
import { addressText, countedText } from '../base/numbers';
import { blockAtOffset, fittingLineBytes, groupsOf, MIN_LINE_BYTES, MapLayout, type Order } from '../model/map-layout';
import { type MapView, readMapView, visibleLineBytes, writeMapView } from '../model/map-view';
import { blockAt, segmentOf, type SnapshotMap, STATE_NAMES } from '../model/memory-map';
import { shareAt } from '../model/plot';
import { SnapshotLinks } from '../model/snapshot-links';
import { MapPainter, ROW_HEIGHT } from '../render/map-painter';
import { type Palette, readPalette } from '../render/palette';
import { PageUrl } from './page-url';
import { BlockPanel } from './block-panel';
import { element } from './element';
import { PaintScheduler } from './animation';
import { listenToGestures } from './gestures';
import { onViewKeys } from './keys';
import { memoryMapKeys } from './memory-map-keys';
import { buildMapElements, fillLegend, type MapElements, mapSummary } from './memory-map-elements';
import { Problem, problemBox } from './problem';
import { SnapshotClient } from './snapshot-client';
import { onThemeChange } from './theme';
import { setData, setMessage, setState } from './view-state';

/** The smallest width at which a block that a link selects is shown. */
const MIN_BLOCK_PIXELS = 12;

/** The memory map of one device: all segments to scale, wrapped like text. */
class MemoryMapPage {
  private readonly client: SnapshotClient;
  private readonly panel: BlockPanel;
  private readonly elements: MapElements;
  private readonly painter: MapPainter;
  private readonly pageUrl: PageUrl;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private palette: Palette;
  private view: MapView = readMapView(location.search);
  private map: SnapshotMap | null = null;
  private layoutOrder: Order | null = null;
  private layout = new MapLayout([], MIN_LINE_BYTES);
  private hovered: number | null = null;
  private selected: number | null = null;
  /** Wheel movement accumulated for the next zoom step, as a power of two. */
  private zoomSteps = 0;

  constructor(private readonly root: HTMLElement) {
    this.client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    this.panel = new BlockPanel(this.client, links, () => this.pin(null));
    this.elements = buildMapElements(root, this.panel.root, {
      zoomIn: () => this.zoomBy(0.5, this.middle),
      zoomOut: () => this.zoomBy(2, this.middle),
      fit: () => this.fit(),
      order: (order) => this.reorder(order),
    });
    this.elements.order.value = this.view.order;
    this.painter = new MapPainter(this.elements.canvas);
    this.painter.fit();
    this.palette = readPalette(root);
    this.pageUrl = new PageUrl(() => writeMapView(location.search, this.view));
    this.listen();
    void this.load();
  }

  private async load(): Promise<void> {
    setState(this.root, 'loading');
    try {
      this.showMap(await this.client.memoryMap(new AbortController().signal));
    } catch (error) {
      setState(this.root, 'error');
      setMessage(
        this.elements.message,
        problemBox(Problem.of(error), () => {
          setMessage(this.elements.message, null);
          void this.load();
        }),
      );
    }
  }

  private showMap(map: SnapshotMap): void {
    this.map = map;
    setState(this.root, map.address.length === 0 ? 'empty' : 'ready');
    if (map.address.length === 0) {
      setMessage(
        this.elements.message,
        element('p', { class: 'view-hint' }, 'This device had no segments when the snapshot was taken.'),
      );
    }
    fillLegend(this.elements.legend, this.palette, map);
    this.elements.summary.textContent = mapSummary(map);
    this.updateLayout();
    // The server selects the block that contains the address in the URL, or writes a note.
    const address = this.root.dataset['selected'];
    this.selected = address === undefined ? null : blockAt(map, BigInt(address));
    this.view = { ...this.view, selected: this.selected === null ? null : map.blockAddress[this.selected] };
    if (this.selected !== null) this.reveal(map, this.selected);
    setData(this.root, { selected: this.selectedAddress });
    this.updateStatus();
    this.paintScheduler.request();
  }

  /** Updates the layout after loading and after changes of order, zoom or size. */
  private updateLayout(): void {
    if (this.map === null) return;
    const groups = this.layoutOrder === this.view.order ? this.layout.groups : groupsOf(this.map, this.view.order);
    this.layoutOrder = this.view.order;
    const bytesPerLine = this.view.bytesPerLine ?? fittingLineBytes(groups, Math.floor(this.painter.rows));
    this.layout = new MapLayout(groups, bytesPerLine);
    // A vertical swipe scrolls the map if it is longer than the canvas, otherwise the page.
    this.elements.canvas.style.touchAction = this.layout.rowCount > this.painter.rows ? 'none' : 'pan-y';
    this.scrollTo(this.view.topRow);
  }

  private scrollTo(row: number): void {
    const maxRow = Math.max(0, this.layout.rowCount - this.painter.rows);
    this.view = { ...this.view, topRow: Math.min(maxRow, Math.max(0, row)) };
  }

  private changed(): void {
    this.pageUrl.scheduleUpdate();
    setData(this.root, { line: this.layout.bytesPerLine, selected: this.selectedAddress });
    this.updateStatus();
    this.paintScheduler.request();
  }

  private get selectedAddress(): string | null {
    return this.view.selected === null ? null : addressText(this.view.selected);
  }

  private get middle(): { x: number; y: number } {
    const { area } = this.painter;
    return { x: area.left + area.width / 2, y: area.top + area.height / 2 };
  }

  /** Halves or doubles the bytes per line; the byte at the point keeps its vertical position. */
  private zoomBy(factor: number, point: { x: number; y: number }): void {
    if (this.map === null) return;
    const target = this.layout.bytesPerLine * factor;
    const fitting = fittingLineBytes(this.layout.groups, Math.floor(this.painter.rows));
    if (target < MIN_LINE_BYTES || target > fitting) return;
    const rowsFromTop = (point.y - this.painter.area.top) / ROW_HEIGHT;
    const row = this.view.topRow + rowsFromTop;
    const fixed = this.layout.offsetAt(Math.floor(row), this.clampedShare(point.x)) ?? this.nearestOffset(row);
    this.view = { ...this.view, bytesPerLine: target === fitting ? null : target };
    this.updateLayout();
    if (fixed !== null) this.scrollTo(this.layout.rowOf(fixed.group, fixed.offset) + (row % 1) - rowsFromTop);
    this.changed();
  }

  /** The first byte of the line in a row; for a heading, of the group below it. */
  private nearestOffset(row: number): { group: number; offset: number } | null {
    const at = this.layout.lineAt(Math.min(Math.floor(row), this.layout.rowCount - 1));
    return at === null ? null : { group: at.group, offset: Math.max(0, at.line) * this.layout.bytesPerLine };
  }

  private fit(): void {
    this.view = { ...this.view, bytesPerLine: null, topRow: 0 };
    this.updateLayout();
    this.changed();
  }

  private reorder(order: Order): void {
    this.view = { ...this.view, order, topRow: 0 };
    this.updateLayout();
    this.changed();
  }

  private pan(rows: number): void {
    this.scrollTo(this.view.topRow + rows);
    this.changed();
  }

  private pin(block: number | null): void {
    if (this.map === null) return;
    this.selected = block;
    this.view = { ...this.view, selected: block === null ? null : this.map.blockAddress[block] };
    if (block === null) this.panel.clear();
    else this.panel.show(this.map, block, true);
    this.changed();
  }

  /** Pins a block and, unless the URL has a zoom level, zooms in until the block is visible. */
  private reveal(map: SnapshotMap, block: number): void {
    this.panel.show(map, block, true);
    if (this.view.bytesPerLine !== null) return;
    const fitting = this.layout.bytesPerLine;
    const line = visibleLineBytes(map.blockBytes[block], fitting, this.painter.area.width, MIN_BLOCK_PIXELS);
    if (line === fitting) return;
    this.view = { ...this.view, bytesPerLine: line };
    this.updateLayout();
    this.scrollToBlock(map, block);
  }

  private scrollToBlock(map: SnapshotMap, block: number): void {
    const segment = segmentOf(map, block);
    const position = this.layout.positionOf(segment);
    if (position === null) return;
    const offset = position.offset + Number(map.blockAddress[block] - map.address[segment]);
    const row = this.layout.rowOf(position.group, offset);
    const { topRow } = this.view;
    if (row < topRow || row > topRow + this.painter.rows - 1) this.scrollTo(row - this.painter.rows / 2);
  }

  /** Pins the next or previous block and scrolls to it. */
  private step(by: number): void {
    if (this.map === null) return;
    const next = this.selected === null ? 0 : this.selected + by;
    if (next < 0 || next >= this.map.state.length) return;
    this.scrollToBlock(this.map, next);
    this.pin(next);
  }

  private blockAtPoint(x: number, y: number): number | null {
    const { area } = this.painter;
    if (this.map === null || y < area.top || y > area.top + area.height) return null;
    const row = Math.floor(this.view.topRow + (y - area.top) / ROW_HEIGHT);
    const at = this.layout.offsetAt(row, shareAt(area, x));
    return at === null ? null : blockAtOffset(this.map, this.layout.groups[at.group], at.offset);
  }

  private clampedShare(x: number): number {
    return Math.min(0.999_999, Math.max(0, shareAt(this.painter.area, x)));
  }

  private hover(block: number | null): void {
    if (block === this.hovered || this.map === null) return;
    this.hovered = block;
    if (block !== null && this.selected === null) this.panel.show(this.map, block, false);
    this.updateStatus();
    this.paintScheduler.request();
  }

  private updateStatus(): void {
    const { map, hovered } = this;
    if (map === null) return;
    this.elements.status.textContent =
      hovered === null
        ? `${bytesText(map.reservedBytes)} reserved in ${countedText(map.address.length, 'segment')}, ${countedText(map.blockAddress.length, 'block')} · ${bytesText(this.layout.bytesPerLine)} per line`
        : `${addressText(map.blockAddress[hovered])} · ${bytesText(map.blockBytes[hovered])} · ${STATE_NAMES[map.state[hovered]]}`;
  }

  private paint(): void {
    if (this.map === null || this.map.address.length === 0) return;
    const { palette, map, layout, hovered, selected } = this;
    this.painter.paint({ palette, map, layout, topRow: this.view.topRow, hovered, selected });
  }

  private listen(): void {
    const { canvas } = this.elements;
    listenToGestures(canvas, {
      zoom: (factor, x, y) => {
        this.zoomSteps += Math.log2(factor);
        if (Math.abs(this.zoomSteps) < 0.24) return;
        this.zoomBy(this.zoomSteps < 0 ? 0.5 : 2, { x, y });
        this.zoomSteps = 0;
      },
      pan: (_dx, dy) => this.pan(-dy / ROW_HEIGHT),
      selectRange: () => undefined,
      selectRangeEnd: () => undefined,
      hover: (x, y) => this.hover(this.blockAtPoint(x, y)),
      leave: () => this.hover(null),
      click: (x, y) => {
        const block = this.blockAtPoint(x, y);
        this.pin(block === this.selected ? null : block);
      },
      doubleClick: () => this.fit(),
    });
    onViewKeys(
      canvas,
      memoryMapKeys({
        zoom: (factor) => this.zoomBy(factor, this.middle),
        pan: (rows) => this.pan(rows),
        page: (screens) => this.pan(screens * this.painter.rows),
        fit: () => this.fit(),
        step: (by) => this.step(by),
        unpin: () => this.pin(null),
      }),
    );
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      if (this.map !== null) fillLegend(this.elements.legend, this.palette, this.map);
      this.paintScheduler.request();
    });
    new ResizeObserver(() => {
      if (!this.painter.fit()) return;
      this.updateLayout();
      this.updateStatus();
      this.paint();
    }).observe(canvas);
  }
}

export function mountMemoryMap(root: HTMLElement): void {
  new MemoryMapPage(root);
}
