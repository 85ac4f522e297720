import { addressText } from '../base/numbers';
import { blockAtOffset, fittingLineBytes, groupsOf, MIN_LINE_BYTES, MapLayout, type Order } from '../model/map-layout';
import { type MapView, readMapView, visibleLineBytes, writeMapView } from '../model/map-view';
import { blockAt, segmentOf, type SnapshotMap } from '../model/memory-map';
import { shareAt } from '../model/plot';
import { SnapshotLinks } from '../model/snapshot-links';
import { MapPainter, ROW_HEIGHT } from '../render/map-painter';
import { type Palette, readPalette } from '../render/palette';
import { MapMoments } from './map-moments';
import { PageUrl } from './page-url';
import { BlockPanel } from './block-panel';
import { element } from './element';
import { PaintScheduler } from './animation';
import { listenToGestures } from './gestures';
import { onViewKeys } from './keys';
import { memoryMapKeys } from './memory-map-keys';
import { buildMapElements, fillLegend, type MapElements, mapSummary, statusText } from './memory-map-elements';
import { showProblem } from './problem';
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
  private readonly moments: MapMoments;
  /** Wheel movement accumulated for the next zoom step, as a power of two. */
  private zoomSteps = 0;

  constructor(private readonly root: HTMLElement) {
    this.client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    this.panel = new BlockPanel(this.client, links, () => this.pin(null));
    this.moments = new MapMoments(root, this.client, links, {
      changed: (event) => {
        this.view = { ...this.view, event };
        this.pageUrl.scheduleUpdate();
      },
      received: (map) => this.showMap(map),
      failed: (error) => showProblem(this.root, this.elements.message, error, () => this.load()),
    });
    this.elements = buildMapElements(root, this.panel.root, this.moments.elements, {
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
    this.load();
  }

  private load(): void {
    setState(this.root, 'loading');
    this.view = { ...this.view, event: this.moments.show(this.view.event) };
  }

  private showMap(map: SnapshotMap): void {
    const isFirst = this.map === null;
    this.map = map;
    this.hovered = null;
    this.layoutOrder = null;
    const isEmpty = map.address.length === 0;
    setState(this.root, isEmpty ? 'empty' : 'ready');
    const hint = element('p', { class: 'view-hint' }, 'The device had no segments at this moment.');
    setMessage(this.elements.message, isEmpty ? hint : null);
    fillLegend(this.elements.legend, this.palette, map);
    this.elements.summary.textContent = mapSummary(map);
    this.updateLayout();
    this.selectPinned(map, isFirst);
    setData(this.root, { selected: this.selectedAddress, event: this.view.event });
    this.updateStatus();
    this.paintScheduler.request();
  }

  /** Selects the pinned address in a new map. For the end, the server has found the block, or written a note. */
  private selectPinned(map: SnapshotMap, isFirst: boolean): void {
    const found = isFirst && this.view.event === null ? this.root.dataset['selected'] : this.selectedAddress;
    this.selected = found === undefined || found === null ? null : blockAt(map, BigInt(found));
    if (this.selected !== null) {
      this.view = { ...this.view, selected: map.blockAddress[this.selected] };
      this.reveal(map, this.selected);
    } else if (isFirst) this.view = { ...this.view, selected: null };
    else if (this.view.selected !== null) this.panel.clear('No block starts at the pinned address at this moment.');
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
    this.elements.status.textContent = statusText(map, hovered, this.layout.bytesPerLine);
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
        stepEvent: (by) => this.moments.step(by),
        toFailure: () => this.moments.toFailure(),
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
