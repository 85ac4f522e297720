const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** The exponent (0 to 6) of the largest power of 1024 that is at most `bytes`. */
function power(bytes: number): number {
  let step = 0;
  for (let rest = Math.abs(bytes); rest >= 1024 && step < UNITS.length - 1; rest /= 1024) step++;
  return step;
}

/**
 * Formats bytes in the largest binary unit that gives at least 1, with at most two decimals: `512 B`, `1.5 KiB`,
 * `63.61 GiB`. Same rule as ByteText on the server. NaN, which columns use for unknown values, becomes `unknown`.
 */
export function bytesText(bytes: number): string {
  if (Number.isNaN(bytes)) return 'unknown';
  let step = power(bytes);
  // 1023.995 and above would be rounded to 1024 of the smaller unit.
  if (step > 0 && step < UNITS.length - 1 && Math.abs(bytes) / 1024 ** step >= 1023.995) step++;
  return `${trimmed(bytes / 1024 ** step, step === 0 ? 0 : 2)} ${UNITS[step]}`;
}

/** The exact number of bytes: `1,073,741,824 B`. */
export function exactBytesText(bytes: number): string {
  return Number.isNaN(bytes) ? 'unknown' : `${bytes.toLocaleString('en-US')} B`;
}

/** Label of an axis tick; ticks are `step` bytes apart. */
export function bytesLabel(bytes: number, step: number): string {
  if (bytes === 0) return '0';
  const unit = power(Math.max(Math.abs(bytes), step));
  return `${trimmed(bytes / 1024 ** unit, 3)} ${UNITS[unit]}`;
}

function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return digits > 0 ? text.replace(/\.?0+$/, '') : text;
}
