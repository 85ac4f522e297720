import { describe, expect, it } from 'vitest';
import { addressText, countedText, countText, shareText } from '../src/base/numbers';
import { durationText, relativeTimeLabel, relativeTimeText } from '../src/base/time';

describe('numbers as text', () => {
  it('group thousands and use the right plural', () => {
    expect(countText(1_234_567)).toBe('1,234,567');
    expect(countedText(1, 'event')).toBe('1 event');
    expect(countedText(2000, 'event')).toBe('2,000 events');
  });

  it('do not round a small share to zero', () => {
    expect(shareText(1, 100_000)).toBe('under 0.1 %');
    expect(shareText(0, 5)).toBe('0 %');
    expect(shareText(1, 8)).toBe('12.5 %');
    expect(shareText(5, 5)).toBe('100 %');
    expect(shareText(1, 0)).toBe('–');
  });

  it('format addresses above 2^53 exactly', () => {
    expect(addressText(0xffff_ffff_ffff_fe01n)).toBe('0xfffffffffffffe01');
  });
});

describe('times as text', () => {
  it('use the largest fitting unit', () => {
    expect(durationText(0)).toBe('0 µs');
    expect(durationText(870)).toBe('870 µs');
    expect(durationText(12_300)).toBe('12.3 ms');
    expect(durationText(100_000)).toBe('100 ms');
    expect(durationText(1_500_000)).toBe('1.5 s');
    expect(durationText(192_000_000)).toBe('3.2 min');
    expect(durationText(NaN)).toBe('unknown');
  });

  it('format times relative to the start', () => {
    expect(relativeTimeText(12_300)).toBe('+12.3 ms');
    expect(relativeTimeText(-12_300)).toBe('-12.3 ms');
  });

  it('label adjacent ticks differently', () => {
    expect(relativeTimeLabel(40_330_000, 70_000)).toBe('+40.33 s');
    expect(relativeTimeLabel(40_000_000, 10_000_000)).toBe('+40 s');
    expect(relativeTimeLabel(0, 10)).toBe('+0');
  });
});
