import { describe, expect, it } from 'vitest';
import { addressText, countedText, countText, shareText } from '../src/base/numbers';
import { durationText, momentLabel, momentText } from '../src/base/time';

describe('numbers as text', () => {
  it('group thousands and agree with their noun', () => {
    expect(countText(1_234_567)).toBe('1,234,567');
    expect(countedText(1, 'event')).toBe('1 event');
    expect(countedText(2000, 'event')).toBe('2,000 events');
  });

  it('never show a small share as none', () => {
    expect(shareText(1, 100_000)).toBe('under 0.1 %');
    expect(shareText(0, 5)).toBe('0 %');
    expect(shareText(1, 8)).toBe('12.5 %');
    expect(shareText(5, 5)).toBe('100 %');
    expect(shareText(1, 0)).toBe('–');
  });

  it('write addresses beyond 2^53 exactly', () => {
    expect(addressText(0xffff_ffff_ffff_fe01n)).toBe('0xfffffffffffffe01');
  });
});

describe('times as text', () => {
  it('choose the unit', () => {
    expect(durationText(0)).toBe('0 µs');
    expect(durationText(870)).toBe('870 µs');
    expect(durationText(12_300)).toBe('12.3 ms');
    expect(durationText(100_000)).toBe('100 ms');
    expect(durationText(1_500_000)).toBe('1.5 s');
    expect(durationText(192_000_000)).toBe('3.2 min');
    expect(durationText(NaN)).toBe('unknown');
  });

  it('count moments from the start', () => {
    expect(momentText(12_300)).toBe('+12.3 ms');
    expect(momentText(-12_300)).toBe('-12.3 ms');
  });

  it('give neighbours on an axis different labels', () => {
    expect(momentLabel(40_330_000, 70_000)).toBe('+40.33 s');
    expect(momentLabel(40_000_000, 10_000_000)).toBe('+40 s');
    expect(momentLabel(0, 10)).toBe('+0');
  });
});
