import { expect, it } from 'vitest';
import { decodeNamedRanges, eventsOfRange, rangeAt, rangeText, sameRange } from '../src/model/named-ranges';
import { encodeColumns } from './encode';

const HEADER = {
  laneCount: 2,
  hasSteps: true,
  source: 'periodicity',
  times: 'ascending',
  recordedAnnotations: 2,
  hiddenCount: 0,
  names: ['step 3', 'forward'],
};

function encoded(header: Record<string, unknown> = {}, end = [200, 150, 160]) {
  return encodeColumns(
    { ...HEADER, ...header },
    {
      lane: Uint8Array.of(0, 1, 1),
      first: Int32Array.of(100, 110, 150),
      end: Int32Array.from(end),
      count: Int32Array.of(1, 1, 4),
      name: Int32Array.of(0, 1, -1),
    },
  );
}

it('names ranges with their events', () => {
  const ranges = decodeNamedRanges(encoded());
  expect(rangeText(ranges, 0)).toBe('step 3 (detected), events 100 to 199');
  expect(rangeText(ranges, 1)).toBe('forward, events 110 to 149');
  expect(rangeText(ranges, 2)).toBe('4 annotated ranges, events 150 to 159');
  expect(eventsOfRange(ranges, 2)).toEqual({ from: 150, to: 160 });
  expect(ranges.note).toBe('');
});

it('finds the range at a position', () => {
  const ranges = decodeNamedRanges(encoded());
  expect(rangeAt(ranges, 1, 149.9)).toBe(1);
  expect(rangeAt(ranges, 1, 150)).toBe(2);
  expect(rangeAt(ranges, 0, 200)).toBe(-1);
});

it('says why annotations are not shown', () => {
  expect(decodeNamedRanges(encoded({ times: 'goes-back' })).note).toMatch(/^2 annotations not shown: .* go back/);
  expect(decodeNamedRanges(encoded({ times: 'not-recorded' })).note).toMatch(/not every event has a time/);
  expect(decodeNamedRanges(encoded({ hiddenCount: 7 })).note).toMatch(/^7 annotated ranges not shown/);
});

it('refuses ranges without events', () => {
  expect(() => decodeNamedRanges(encoded({}, [100, 150, 160]))).toThrow(/Range 0/);
});

it('finds a range again among others', () => {
  const ranges = decodeNamedRanges(encoded());
  const others = { ...ranges, lane: Uint8Array.of(1, 0), first: Int32Array.of(110, 100), end: Int32Array.of(150, 200) };
  const renamed = { ...others, name: Int32Array.of(1, 0) };
  expect([0, 1, 2, -1].map((i) => sameRange(ranges, i, renamed))).toEqual([1, 0, -1, -1]);
  expect(sameRange(ranges, 0, { ...renamed, end: Int32Array.of(150, 201) })).toBe(-1);
});
