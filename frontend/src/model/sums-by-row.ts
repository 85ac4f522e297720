import { intAt } from '../base/at';

/** Free place of the table; rows are never negative. */
const FREE = -1;
const MIN_PLACES = 1024;

/**
 * Sums of numbers by row, for up to a few hundred thousand rows at a time: a hash table of two arrays that are used again,
 * because a Map for each response of the server is megabytes of garbage.
 */
export class SumsByRow {
  private rows = new Int32Array(0);
  private sums = new Int32Array(0);

  /** Forgets all sums and makes room for `rows` different rows. */
  reset(rows: number): void {
    let places = MIN_PLACES;
    while (places < 2 * rows) places *= 2;
    if (this.rows.length < places) {
      this.rows = new Int32Array(places);
      this.sums = new Int32Array(places);
    }
    this.rows.fill(FREE);
    this.sums.fill(0);
  }

  add(row: number, value: number): void {
    const place = this.placeOf(row);
    this.rows[place] = row;
    this.sums[place] = intAt(this.sums, place) + value;
  }

  /** The sum of a row, 0 if nothing was added. */
  of(row: number): number {
    return intAt(this.sums, this.placeOf(row));
  }

  private placeOf(row: number): number {
    const mask = this.rows.length - 1;
    // Neighbouring rows are spread over the table: 2^32 divided by the golden ratio.
    let place = (Math.imul(row, 0x9e3779b1) >>> 8) & mask;
    while (this.rows[place] !== FREE && this.rows[place] !== row) place = (place + 1) & mask;
    return place;
  }
}
