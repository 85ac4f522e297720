import type { Order } from '../../model/map-layout';
import { type MapView, readMapView, writeMapView } from '../../model/map-view';
import { segmentName, type SnapshotMap } from '../../model/memory-map';
import { SnapshotLinks } from '../../model/snapshot-links';
import { MapPainter } from '../../render/map-painter';
import { type Palette, readPalette } from '../../render/palette';
import { MapMoments } from './map-moments';
import { MapPin } from './map-pin';
import { MapViewport } from './map-viewport';
import { carryToTabs, PageUrl } from '../request/page-url';
import { BlockPanel } from './block-panel';
import { MapColours } from './map-colours';
import { EarlyInput } from '../request/early-input';
import { element } from '../display/element';
import { FrameSearch } from '../snapshot/frame-search';
import { PaintScheduler } from '../display/animation';
import { onViewKeys } from '../display/keys';
import { listenToMapGestures } from './memory-map-gestures';
import { memoryMapKeys } from './memory-map-keys';
import { buildMapElements, fillLegend, type MapElements, mapSummary, statusText } from './memory-map-elements';
import { showProblem } from '../display/problem';
import { SnapshotClient } from '../snapshot/snapshot-client';
import { onThemeChange } from '../display/theme';
import { setData, setMessage, setState } from '../display/view-state';

/** The memory map of one device: all segments to scale, wrapped like text. */
class MemoryMapPage {
  private readonly client: SnapshotClient;
  private readonly elements: MapElements;
  private readonly painter: MapPainter;
  private readonly pageUrl: PageUrl;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private palette: Palette;
  private view: MapView = readMapView(location.search);
  private map: SnapshotMap | null = null;
  private readonly viewport: MapViewport;
  private hovered: number | null = null;
  private readonly pin: MapPin;
  private readonly moments: MapMoments;
  private readonly search: FrameSearch;
  private readonly early = new EarlyInput();
  private readonly colours = new MapColours(() => {
    this.pageUrl.scheduleUpdate();
    this.load();
  });

  constructor(private readonly root: HTMLElement) {
    this.client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    const panel = new BlockPanel(this.client, links, {
      unpin: () => this.pinBlock(null),
      pin: (block) => this.pinBlock(block),
      goTo: (event) => this.moments.jumpTo(event),
    });
    this.pin = new MapPin(this.client, panel, () => this.changed());
    this.pin.restore(this.view);
    this.moments = new MapMoments(root, this.client, links, {
      changed: (event) => {
        this.view = { ...this.view, event };
        this.search.showEvent(event);
        this.pageUrl.scheduleUpdate();
      },
      jump: (change) => this.pageUrl.jump(change),
      kindChanged: () => this.pageUrl.scheduleUpdate(),
      colour: () => this.colours.value,
      received: (map) => this.showMap(map),
      failed: (error) => showProblem(this.root, this.elements.message, error, () => this.load()),
    });
    this.search = new FrameSearch(this.client, () => this.searched());
    const lines = [this.search.root, ...this.moments.elements];
    this.elements = buildMapElements(root, panel.root, lines, this.colours, {
      zoomIn: () => this.early.do(() => this.zoomBy(0.5, this.middle)),
      zoomOut: () => this.early.do(() => this.zoomBy(2, this.middle)),
      fit: () => this.early.do(() => this.fit()),
      order: (order) => this.reorder(order),
    });
    this.elements.order.value = this.view.order;
    this.painter = new MapPainter(this.elements.canvas);
    this.painter.fit();
    this.viewport = new MapViewport(this.painter, this.view);
    this.palette = readPalette(root);
    this.pageUrl = new PageUrl(() => this.query());
    this.pageUrl.onReturn(() => this.restore());
    this.listen();
    this.restoreChoices();
    this.load();
  }

  private load(): void {
    setState(this.root, 'loading');
    this.view = { ...this.view, event: this.moments.show(this.view.event) };
    this.search.showEvent(this.view.event);
  }

  private searched(): void {
    this.pageUrl.scheduleUpdate();
    this.paintScheduler.request();
  }

  /** Shows what the URL says. */
  private restore(): void {
    this.view = readMapView(location.search);
    this.pin.restore(this.view);
    this.restoreChoices();
    this.viewport.part = this.view;
    this.elements.order.value = this.view.order;
    this.load();
  }

  private restoreChoices(): void {
    this.search.restore(new URLSearchParams(location.search).get('text'));
    this.colours.restore(location.search);
    this.moments.restoreKind(location.search);
  }

  private showMap(map: SnapshotMap): void {
    const isFirst = this.map === null;
    this.map = map;
    this.hovered = null;
    const isEmpty = map.address.length === 0;
    setState(this.root, isEmpty ? 'empty' : 'ready');
    const hint = element('p', { class: 'view-hint' }, `The device had no ${segmentName(map)}s at this moment.`);
    setMessage(this.elements.message, isEmpty ? hint : null);
    this.showLegend(map);
    this.elements.summary.textContent = mapSummary(map);
    this.viewport.show(map);
    this.allowScroll();
    this.selectPinned(map, isFirst);
    carryToTabs(this.query());
    setData(this.root, { selected: this.pin.address(map), event: this.view.event });
    this.updateStatus();
    this.paintScheduler.request();
    if (isFirst) this.early.arrived();
  }

  private showLegend(map: SnapshotMap): void {
    fillLegend(this.elements.legend, this.palette, map);
    this.colours.showGroups(map, this.palette);
  }

  /** Selects what is pinned in a new map. For an address at the end, the server has found the block, or written a note. */
  private selectPinned(map: SnapshotMap, isFirst: boolean): void {
    const { pinned } = this.pin;
    const found = this.root.dataset['selected'];
    if (isFirst && this.view.event === null && pinned.selected !== null) {
      this.pin.pinned = { ...pinned, selected: found === undefined ? null : BigInt(found) };
    }
    this.pin.follow(map, this.view.event);
    if (this.pin.block !== null) this.viewport.reveal(this.pin.block);
  }

  private query(): string {
    const { order, bytesPerLine, topRow } = this.viewport.part;
    const query = new URLSearchParams(location.search);
    if (this.search.text === null) query.delete('text');
    else query.set('text', this.search.text);
    this.colours.write(query);
    this.moments.writeKind(query);
    return writeMapView(
      query.toString(),
      { ...this.view, ...this.pin.pinned, order, bytesPerLine, topRow },
      Number(this.root.dataset['count'] ?? 0),
    );
  }

  /** A vertical swipe scrolls the map if it is longer than the canvas, otherwise the page. */
  private allowScroll(): void {
    this.elements.canvas.style.touchAction = this.viewport.isLong ? 'none' : 'pan-y';
  }

  private changed(): void {
    this.allowScroll();
    this.pageUrl.scheduleUpdate();
    setData(this.root, { line: this.viewport.layout.bytesPerLine, selected: this.pin.address(this.map) });
    this.updateStatus();
    this.paintScheduler.request();
  }

  private get middle(): { x: number; y: number } {
    const { area } = this.painter;
    return { x: area.left + area.width / 2, y: area.top + area.height / 2 };
  }

  private zoomBy(factor: number, point: { x: number; y: number }): void {
    if (this.viewport.zoomBy(factor, point)) this.changed();
  }

  private fit(): void {
    this.pageUrl.jump(() => {
      this.viewport.fit();
      this.changed();
    });
  }

  private reorder(order: Order): void {
    this.viewport.reorder(order);
    this.changed();
  }

  private pan(rows: number): void {
    this.viewport.scrollBy(rows);
    this.changed();
  }

  private pinBlock(block: number | null): void {
    if (this.map === null) return;
    this.pin.set(this.map, block);
    this.changed();
  }

  /** Pins the next or previous block and scrolls to it. */
  private step(by: number): void {
    if (this.map === null) return;
    const { block } = this.pin;
    const next = block === null ? 0 : block + by;
    if (next < 0 || next >= this.map.state.length) return;
    this.viewport.scrollToBlock(next);
    this.pinBlock(next);
  }

  private hover(block: number | null): void {
    if (block === this.hovered || this.map === null) return;
    this.hovered = block;
    if (block !== null) this.pin.point(this.map, block);
    this.updateStatus();
    this.paintScheduler.request();
  }

  private updateStatus(): void {
    const { map, hovered } = this;
    if (map === null) return;
    this.elements.status.textContent = statusText(map, hovered, this.viewport.layout.bytesPerLine);
  }

  private paint(): void {
    if (this.map === null || this.map.address.length === 0) return;
    const { palette, hovered, viewport } = this;
    const { block: selected, absent } = this.pin;
    const map = this.search.marked(this.map);
    const tints = this.colours.tints(this.map, palette);
    const { layout, part } = viewport;
    this.painter.paint({ palette, map, layout, topRow: part.topRow, hovered, selected, absent, tints });
  }

  private listen(): void {
    const { canvas } = this.elements;
    listenToMapGestures(canvas, {
      zoom: (factor, point) => this.zoomBy(factor, point),
      pan: (rows) => this.pan(rows),
      point: (at) => this.hover(at === null ? null : this.viewport.blockAt(at.x, at.y)),
      click: ({ x, y }) => {
        const block = this.viewport.blockAt(x, y);
        this.pageUrl.jump(() => this.pinBlock(block === this.pin.block ? null : block));
      },
      fit: () => this.fit(),
    });
    onViewKeys(
      canvas,
      memoryMapKeys({
        zoom: (factor) => this.early.do(() => this.zoomBy(factor, this.middle)),
        pan: (rows) => this.early.do(() => this.pan(rows)),
        page: (screens) => this.early.do(() => this.pan(screens * this.painter.rows)),
        fit: () => this.early.do(() => this.fit()),
        step: (by) => this.early.do(() => this.step(by)),
        unpin: () => this.early.do(() => this.pinBlock(null)),
        stepEvent: (by) => this.moments.step(by),
        toFailure: () => this.moments.toFailure(),
      }),
    );
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      if (this.map !== null) this.showLegend(this.map);
      this.paintScheduler.request();
    });
    new ResizeObserver(() => {
      if (!this.painter.fit()) return;
      this.viewport.update();
      this.allowScroll();
      this.updateStatus();
      this.paint();
    }).observe(canvas);
  }
}

export function mountMemoryMap(root: HTMLElement): void {
  new MemoryMapPage(root);
}
