/**
 * A longest sequence that two lists have in common: for each entry of `other`, the index of the entry of `one` that it is,
 * or -1. Indexes ascend. Takes time and memory proportional to the product of the lengths without what both begin and end
 * with.
 */
export function commonSequence(one: readonly string[], other: readonly string[]): number[] {
  const least = Math.min(one.length, other.length);
  let before = 0;
  while (before < least && one[before] === other[before]) before++;
  let after = 0;
  while (after < least - before && one[one.length - 1 - after] === other[other.length - 1 - after]) after++;

  const [rows, columns] = [one.length - before - after, other.length - before - after];
  // The length of the longest common sequence of what follows row i and column j.
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const isCommon = (i: number, j: number) => one[before + i] === other[before + j];
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      lengths[i * width + j] = isCommon(i, j) ? 1 + length(i + 1, j + 1) : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }

  const found = other.map((_, index) => {
    if (index < before) return index;
    return index >= other.length - after ? index - other.length + one.length : -1;
  });
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (isCommon(i, j)) found[before + j++] = before + i++;
    else if (length(i + 1, j) >= length(i, j + 1)) i++;
    else j++;
  }
  return found;
}
