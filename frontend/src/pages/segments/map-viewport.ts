import { itemAt, numberAt } from '../../base/at';
import {
  blockAtOffset,
  fittingLineBytes,
  groupsOf,
  MIN_LINE_BYTES,
  MapLayout,
  type Order,
} from '../../model/map-layout';
import { type MapView, visibleLineBytes } from '../../model/map-view';
import type { SnapshotMap } from '../../model/memory-map';
import { shareAt } from '../../model/plot';
import { type MapPainter, ROW_HEIGHT } from '../../render/map-painter';

/** The smallest width at which a block that a link selects is shown. */
const MIN_BLOCK_PIXELS = 12;

/** Order, zoom and scroll position. */
type VisiblePart = Pick<MapView, 'order' | 'bytesPerLine' | 'topRow'>;

/** The visible part of a memory map. */
export class MapViewport {
  part: VisiblePart;
  layout = new MapLayout([], MIN_LINE_BYTES);
  private map: SnapshotMap | null = null;
  private layoutOrder: Order | null = null;

  constructor(
    private readonly painter: MapPainter,
    { order, bytesPerLine, topRow }: VisiblePart,
  ) {
    this.part = { order, bytesPerLine, topRow };
  }

  show(map: SnapshotMap): void {
    this.map = map;
    this.layoutOrder = null;
    this.update();
  }

  /** Updates the layout after loading and after changes of the part or of the size of the canvas. */
  update(): void {
    if (this.map === null) return;
    const { order, bytesPerLine, topRow } = this.part;
    const groups = this.layoutOrder === order ? this.layout.groups : groupsOf(this.map, order);
    this.layoutOrder = order;
    this.layout = new MapLayout(groups, bytesPerLine ?? fittingLineBytes(groups, Math.floor(this.painter.rows)));
    this.scrollTo(topRow);
  }

  /** Whether the map is longer than the canvas. */
  get isLong(): boolean {
    return this.layout.rowCount > this.painter.rows;
  }

  scrollTo(row: number): void {
    const maxRow = Math.max(0, this.layout.rowCount - this.painter.rows);
    this.part = { ...this.part, topRow: Math.min(maxRow, Math.max(0, row)) };
  }

  scrollBy(rows: number): void {
    this.scrollTo(this.part.topRow + rows);
  }

  fit(): void {
    this.part = { ...this.part, bytesPerLine: null, topRow: 0 };
    this.update();
  }

  reorder(order: Order): void {
    this.part = { ...this.part, order, topRow: 0 };
    this.update();
  }

  /** Halves or doubles the bytes per line; the byte at the point keeps its vertical position. Returns whether it did. */
  zoomBy(factor: number, point: { x: number; y: number }): boolean {
    if (this.map === null) return false;
    const target = this.layout.bytesPerLine * factor;
    const fitting = fittingLineBytes(this.layout.groups, Math.floor(this.painter.rows));
    if (target < MIN_LINE_BYTES || target > fitting) return false;
    const { area } = this.painter;
    const rowsFromTop = (point.y - area.top) / ROW_HEIGHT;
    const row = this.part.topRow + rowsFromTop;
    const share = Math.min(0.999_999, Math.max(0, shareAt(area, point.x)));
    const fixed = this.layout.offsetAt(Math.floor(row), share) ?? this.layout.lineStart(row);
    this.part = { ...this.part, bytesPerLine: target === fitting ? null : target };
    this.update();
    if (fixed !== null) this.scrollTo(this.layout.rowOf(fixed.group, fixed.offset) + (row % 1) - rowsFromTop);
    return true;
  }

  /** Unless there is a zoom level, zooms in until a block is visible. */
  reveal(block: number): void {
    if (this.map === null || this.part.bytesPerLine !== null) return;
    const fitting = this.layout.bytesPerLine;
    const { width } = this.painter.area;
    const line = visibleLineBytes(numberAt(this.map.blockBytes, block), fitting, width, MIN_BLOCK_PIXELS);
    if (line === fitting) return;
    this.part = { ...this.part, bytesPerLine: line };
    this.update();
    this.scrollToBlock(block);
  }

  scrollToBlock(block: number): void {
    const row = this.map === null ? null : this.layout.rowOfBlock(this.map, block);
    const { topRow } = this.part;
    if (row === null) return;
    if (row < topRow || row > topRow + this.painter.rows - 1) this.scrollTo(row - this.painter.rows / 2);
  }

  blockAt(x: number, y: number): number | null {
    const { area } = this.painter;
    if (this.map === null || y < area.top || y > area.top + area.height) return null;
    const row = Math.floor(this.part.topRow + (y - area.top) / ROW_HEIGHT);
    const at = this.layout.offsetAt(row, shareAt(area, x));
    return at === null ? null : blockAtOffset(this.map, itemAt(this.layout.groups, at.group), at.offset);
  }
}
