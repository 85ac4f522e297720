const UNITS: readonly [micros: number, name: string][] = [
  [60_000_000, 'min'],
  [1_000_000, 's'],
  [1_000, 'ms'],
  [1, 'µs'],
];

/** A duration with up to three significant digits: `870 µs`, `12.3 ms`, `1.5 s`, `3.2 min`. NaN becomes `unknown`. */
export function durationText(micros: number): string {
  if (Number.isNaN(micros)) return 'unknown';
  const size = Math.abs(micros);
  const [unit, name] = UNITS.find(([least]) => size >= least) ?? [1, 'µs'];
  const value = micros / unit;
  const digits = unit === 1 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits).replace(/\.0+$|(\.\d*[1-9])0+$/, '$1')} ${name}`;
}

/** Time since the start of the trace: `+12.3 ms`. */
export function relativeTimeText(micros: number): string {
  return micros < 0 ? durationText(micros) : `+${durationText(micros)}`;
}

/** Label of a time axis tick, with enough digits to distinguish ticks that are `step` µs apart. */
export function relativeTimeLabel(micros: number, step: number): string {
  if (micros === 0) return '+0';
  const [unit, name] = UNITS.find(([least]) => Math.abs(micros) >= least) ?? [1, 'µs'];
  const interval = Math.max(1, step) / unit;
  const least = Math.max(0, Math.ceil(-Math.log10(interval)));
  const isRound = Math.abs(interval * 10 ** least - Math.round(interval * 10 ** least)) < 0.01;
  const digits = Math.min(6, isRound ? least : least + 1);
  return `${micros < 0 ? '' : '+'}${(micros / unit).toFixed(unit === 1 ? 0 : digits)} ${name}`;
}
