import { describe, expect, it } from 'vitest';
import fixture from './fixtures/byte-texts.json';
import { bytesLabel, bytesText, exactBytesText } from '../src/base/bytes';

describe('bytes as text', () => {
  it('uses binary units', () => {
    expect(bytesText(0)).toBe('0 B');
    expect(bytesText(1000)).toBe('1000 B');
    expect(bytesText(1024)).toBe('1 KiB');
    expect(bytesText(1536)).toBe('1.5 KiB');
    expect(bytesText(63.6 * 2 ** 30)).toBe('63.6 GiB');
    expect(bytesText(21.97 * 2 ** 30)).toBe('21.97 GiB');
    expect(bytesText(2 ** 30 - 1)).toBe('1 GiB');
    expect(bytesText(768 * 2 ** 20)).toBe('768 MiB');
  });

  it('is that of the server', () => {
    for (const [bytes, text] of Object.entries(fixture)) expect(bytesText(Number(bytes)), bytes).toBe(text);
  });

  it('formats NaN as unknown', () => {
    expect(bytesText(NaN)).toBe('unknown');
    expect(exactBytesText(NaN)).toBe('unknown');
  });

  it('formats the exact number of bytes', () => {
    expect(exactBytesText(2 ** 30)).toBe('1,073,741,824 B');
  });

  it('labels axis ticks without trailing zeros', () => {
    expect(bytesLabel(16 * 2 ** 30, 2 ** 34)).toBe('16 GiB');
    expect(bytesLabel(1.5 * 2 ** 30, 2 ** 29)).toBe('1.5 GiB');
    expect(bytesLabel(0, 2 ** 29)).toBe('0');
  });
});
