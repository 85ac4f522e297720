const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** The largest power of 1024 (0 to 6) that still gives at least one whole unit of `bytes`. */
function power(bytes: number): number {
  let step = 0;
  for (let rest = Math.abs(bytes); rest >= 1024 && step < UNITS.length - 1; rest /= 1024) step++;
  return step;
}

/**
 * Bytes as people read them: at most three significant decimals and never more digits than known, as in
 * `512 B`, `1.5 KiB`, `63.6 GiB`. NaN, which the columns use for "not known", is `unknown`.
 */
export function bytesText(bytes: number): string {
  if (Number.isNaN(bytes)) return 'unknown';
  const step = power(bytes);
  const value = bytes / 1024 ** step;
  return `${trimmed(value, step === 0 ? 0 : decimals(value))} ${UNITS[step]}`;
}

/** Every byte: `1,073,741,824 B`. */
export function exactBytesText(bytes: number): string {
  return Number.isNaN(bytes) ? 'unknown' : `${bytes.toLocaleString('en-US')} B`;
}

/** Where a round number of units fits an axis: `step` bytes apart, labelled in one unit. */
export function bytesLabel(bytes: number, step: number): string {
  if (bytes === 0) return '0';
  const unit = power(Math.max(Math.abs(bytes), step));
  return `${trimmed(bytes / 1024 ** unit, 3)} ${UNITS[unit]}`;
}

function decimals(value: number): number {
  const size = Math.abs(value);
  return size >= 100 ? 0 : size >= 10 ? 1 : 2;
}

function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return digits > 0 ? text.replace(/\.?0+$/, '') : text;
}
