/**
 * Round places on an axis of bytes: multiples of one power of two, so that labels read 16 GiB and not 9.3 GiB.
 * At most `count` of them between `low` and `high`, both included.
 */
export function byteTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((high - low) / count)));
  return multiples(low, high, step);
}

/** Round places on an axis of event numbers: multiples of 1, 2 or 5 times a power of ten, never below 1 apart. */
export function countTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const least = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least * 0.999_999) ?? 10 * power;
  return multiples(low, high, Math.max(1, step));
}

function multiples(low: number, high: number, step: number): number[] {
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) ticks.push(at * step);
  return ticks;
}
