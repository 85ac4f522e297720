/**
 * Ticks of a byte axis: multiples of a power of two, so that labels are like 16 GiB rather than 9.3 GiB. `low` and
 * `high` are inclusive; `count` is the number of intervals, so there are at most `count + 1` ticks.
 */
export function byteTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((high - low) / count)));
  return multiples(low, high, step);
}

/** Ticks of an axis of event numbers: multiples of 1, 2 or 5 times a power of ten, at least 1 apart. */
export function countTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const minStep = (high - low) / count;
  const decade = 10 ** Math.floor(Math.log10(minStep));
  const step =
    [1, 2, 5, 10].map((factor) => factor * decade).find((each) => each >= minStep * 0.999_999) ?? 10 * decade;
  return multiples(low, high, Math.max(1, step));
}

function multiples(low: number, high: number, step: number): number[] {
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) ticks.push(at * step);
  return ticks;
}
