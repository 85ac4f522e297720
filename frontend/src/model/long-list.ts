/**
 * Browsers limit the height of an element to 16 to 33 million pixels. A list that would be higher is scrolled in
 * proportion: one pixel of the scroll bar is then more than one pixel of the list.
 */
const MAX_HEIGHT = 8_000_000;

/** Scroll positions of a list of `count` rows of `rowHeight` pixels that is seen through `viewHeight` pixels. */
export class LongList {
  constructor(
    readonly count: number,
    readonly rowHeight: number,
    readonly viewHeight: number,
  ) {}

  /** Height of the scrolled content in pixels. */
  get height(): number {
    return Math.min(MAX_HEIGHT, this.count * this.rowHeight);
  }

  /** The row, with a fraction, at the top of the view for a scroll position. */
  firstRow(scrollTop: number): number {
    const scrollable = this.height - this.viewHeight;
    return scrollable <= 0 ? 0 : this.clamped((scrollTop / scrollable) * this.lastFirstRow);
  }

  /** The scroll position at which `firstRow` is at the top. */
  scrollTop(firstRow: number): number {
    return this.lastFirstRow === 0 ? 0 : (firstRow / this.lastFirstRow) * (this.height - this.viewHeight);
  }

  /** The first row that shows `row`, closest to `firstRow`. */
  showing(row: number, firstRow: number): number {
    const visible = this.viewHeight / this.rowHeight;
    if (row < firstRow) return this.clamped(row);
    return row + 1 > firstRow + visible ? this.clamped(row + 1 - visible) : firstRow;
  }

  /** The first row with `row` in the middle of the view. */
  centred(row: number): number {
    return this.clamped(row + 0.5 - this.viewHeight / this.rowHeight / 2);
  }

  clamped(firstRow: number): number {
    return Math.min(this.lastFirstRow, Math.max(0, firstRow));
  }

  private get lastFirstRow(): number {
    return Math.max(0, this.count - this.viewHeight / this.rowHeight);
  }
}
