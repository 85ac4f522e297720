/**
 * The value at an index of a column. The lengths of columns are checked when they are decoded, so an index that counts
 * rows is inside; outside of a column is NaN, as where a value is unknown.
 *
 * There is a function for each type of array because these reads are in the loops that paint: a function that reads
 * arrays of several types is ten times slower.
 */
export function intAt(column: Int32Array, index: number): number {
  return column[index] ?? NaN;
}

export function numberAt(column: Float64Array, index: number): number {
  return column[index] ?? NaN;
}

export function byteAt(column: Uint8Array, index: number): number {
  return column[index] ?? NaN;
}

/** Outside of the column is address 0, which no block has. */
export function wordAt(column: BigUint64Array, index: number): bigint {
  return column[index] ?? 0n;
}

/** The number at an index of a list of JSON, or NaN. */
export function valueAt(list: readonly number[], index: number): number {
  return list[index] ?? NaN;
}

/** The item at an index that is known to be in the list. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} in a list of ${list.length}.`);
  return item;
}
