import { describe, expect, it } from 'vitest';
import { LongList } from '../src/model/long-list';
import { RowPages } from '../src/model/row-pages';

describe('LongList', () => {
  it.each([0, 1, 10, 1000, 10_000_000])('reaches the first and the last of %d rows', (count) => {
    const list = new LongList(count, 26, 520);
    expect(list.firstRow(0)).toBe(0);
    const last = list.firstRow(Math.max(0, list.height - 520));
    expect(last).toBeCloseTo(Math.max(0, count - 20), 6);
    expect(list.height).toBeLessThanOrEqual(8_000_000);
  });

  it('turns every first row into a scroll position and back', () => {
    const list = new LongList(10_000_000, 26, 520);
    for (const row of [0, 1, 5_000_000.25, 9_999_980]) {
      expect(list.firstRow(list.scrollTop(row))).toBeCloseTo(row, 3);
    }
  });

  it('moves as little as possible to show a row', () => {
    const list = new LongList(1000, 26, 520);
    expect(list.showing(100, 90)).toBe(90);
    expect(list.showing(80, 90)).toBe(80);
    expect(list.showing(110, 90)).toBe(91);
    expect(list.showing(999, 90)).toBe(980);
    expect(list.centred(0)).toBe(0);
    expect(list.centred(500)).toBe(490.5);
  });
});

describe('RowPages', () => {
  it('keeps the latest pages and names the first missing one', () => {
    const pages = new RowPages<string>(2, 2);
    expect(pages.missing(0, 5)).toBe(0);
    pages.put(0, ['a', 'b']);
    pages.put(2, ['c', 'd']);
    expect(pages.row(3)).toBe('d');
    expect(pages.missing(0, 4)).toBe(null);
    expect(pages.missing(1, 5)).toBe(4);
    pages.put(4, ['e']);
    expect(pages.row(0)).toBe(null);
    expect(pages.row(4)).toBe('e');
    expect(pages.row(5)).toBe(null);
  });
});
