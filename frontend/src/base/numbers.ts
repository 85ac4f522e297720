import { valueAt } from './at';

const THOUSANDS = new Intl.NumberFormat('en-US');

/** `1,234,567`. */
export function countText(count: number): string {
  return THOUSANDS.format(Math.round(count));
}

/** A count with its noun: `1 event`, `2,000 events`. */
export function countedText(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${Math.round(count) === 1 ? singular : plural}`;
}

/** `12.3 %`; a share above zero is never shown as 0, but as `under 0.1 %`. `–` where `whole` is not positive. */
export function shareText(part: number, whole: number): string {
  if (!(whole > 0)) return '–';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  return `${percent.toFixed(percent >= 99.95 || percent === 0 ? 0 : 1)} %`;
}

/** The shares of parts of a whole, which add up to that of their sum by the largest remainder, as on the server. */
export function shareTexts(parts: readonly number[], whole: number): string[] {
  return sharesOf(
    parts.map((part) => [part]),
    whole,
  );
}

/** The shares of groups of parts: each is the sum of the shares that `shareTexts` gives to its parts. */
export function sharesOf(groups: readonly (readonly number[])[], whole: number): string[] {
  if (!(whole > 0)) return groups.map(() => '–');
  const tenths = tenthsOf(groups.flat(), whole);
  let next = 0;
  return groups.map((parts) => {
    const sum = total(tenths.slice(next, next + parts.length));
    next += parts.length;
    if (sum === 0) return total(parts) === 0 ? '0 %' : 'under 0.1 %';
    return sum === 1000 ? '100 %' : `${(sum / 10).toFixed(1)} %`;
  });
}

function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function tenthsOf(parts: readonly number[], whole: number): number[] {
  const exact = parts.map((part) => (1000 * part) / whole);
  const tenths = exact.map(Math.floor);
  const left = Math.round((1000 * total(parts)) / whole) - total(tenths);
  const remainder = exact.map((part) => part - Math.floor(part));
  const byRemainder = [...exact.keys()].sort((one, other) => valueAt(remainder, other) - valueAt(remainder, one));
  for (const i of byRemainder.slice(0, Math.max(0, left))) tenths[i] = valueAt(tenths, i) + 1;
  return tenths;
}

/** A stream as the server formats it: small numbers in decimal, handles in hex. */
export function streamText(stream: number): string {
  return stream >= 0 && stream < 4096 ? String(stream) : addressText(BigInt.asUintN(64, BigInt(stream)));
}

/** A pool, as the tables name it: the API has PyTorch's identifier, `(0, 0)` for the default pool. */
export function poolText(id: string): string {
  return id === '(0, 0)' ? 'default' : `private ${id}`;
}

/** An unsigned 64-bit address as the allocator prints it: `0x7f0b1c000000`. */
export function addressText(address: bigint): string {
  return `0x${address.toString(16)}`;
}
