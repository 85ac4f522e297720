/** Keeps the parts of a long list that were loaded last. */
export class RowPages<Row> {
  private readonly pages = new Map<number, readonly Row[]>();

  constructor(
    readonly pageSize: number,
    private readonly kept: number,
  ) {}

  /** The row at an index, or null if it is not loaded. */
  row(index: number): Row | null {
    return this.pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize] ?? null;
  }

  /** Keeps the rows from `offset`, a multiple of the page size. */
  put(offset: number, rows: readonly Row[]): void {
    const page = offset / this.pageSize;
    this.pages.delete(page);
    this.pages.set(page, rows);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= this.kept) break;
      this.pages.delete(oldest);
    }
  }

  /** The offset of the first page among the rows [from, to) that is not loaded, or null. */
  missing(from: number, to: number): number | null {
    for (let page = Math.floor(from / this.pageSize); page * this.pageSize < to; page++) {
      if (!this.pages.has(page)) return page * this.pageSize;
    }
    return null;
  }

  clear(): void {
    this.pages.clear();
  }
}
