import { itemAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { InvalidColumnsError, Columns } from '../src/model/columns';
import { encodeColumns } from './encode';
import { randomFrom } from './random';

const sample = () =>
  encodeColumns(
    { device: 0, peakBytes: 2 ** 40, deviceFreeBytes: null, pools: ['(0, 0)'] },
    {
      state: Uint8Array.of(0, 1, 2),
      event: Int32Array.of(-1, 7),
      bytes: Float64Array.of(NaN, 2 ** 52),
      address: BigUint64Array.of(0xffff_ffff_ffff_ffffn),
    },
  );

/** The sample with its header replaced, padded to the same length. */
function withHeader(change: (header: { columns: Record<string, unknown>[] }) => void): ArrayBuffer {
  const response = sample();
  const headerBytes = new DataView(response).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(response, 8, headerBytes)));
  change(header);
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array(Math.ceil(json.length / 8) * 8).fill(0x20);
  padded.set(json);
  const whole = new Uint8Array(8 + padded.length + response.byteLength - 8 - headerBytes);
  whole.set(new Uint8Array(response, 0, 8));
  new DataView(whole.buffer).setUint32(4, padded.length, true);
  whole.set(padded, 8);
  whole.set(new Uint8Array(response, 8 + headerBytes), 8 + padded.length);
  return whole.buffer;
}

describe('columns', () => {
  it('are decoded as encoded', () => {
    const columns = Columns.decode(sample());
    expect([...columns.bytes('state')]).toEqual([0, 1, 2]);
    expect([...columns.ints('event')]).toEqual([-1, 7]);
    expect([...columns.numbers('bytes')]).toEqual([NaN, 2 ** 52]);
    expect([...columns.addresses('address')]).toEqual([0xffff_ffff_ffff_ffffn]);
    expect(columns.number('peakBytes')).toBe(2 ** 40);
    expect(columns.numberOrNaN('deviceFreeBytes')).toBeNaN();
    expect(columns.list('pools')).toEqual(['(0, 0)']);
  });

  it('are rejected with a wrong magic number or a short prefix', () => {
    const response = sample();
    new Uint8Array(response)[0] = 0x3c;
    expect(() => Columns.decode(response)).toThrow(/not with VSC1/);
    expect(() => Columns.decode(new ArrayBuffer(3))).toThrow(/ends after 3/);
  });

  it('are rejected if the header is too long, unaligned or not JSON', () => {
    const long = sample();
    new DataView(long).setUint32(4, 1 << 30, true);
    expect(() => Columns.decode(long)).toThrow(/runs past the end/);
    const garbled = sample();
    new Uint8Array(garbled)[8] = 0x58;
    expect(() => Columns.decode(garbled)).toThrow(/not JSON/);
    const odd = sample();
    new DataView(odd).setUint32(4, 12, true);
    expect(() => Columns.decode(odd)).toThrow(/multiple of 8/);
  });

  it.each([
    ['length', 1e9, /but the response ends/],
    ['length', -1, /invalid length -1/],
    ['length', 1.5, /invalid length 1.5/],
    ['offset', 4, /offset 4/],
    ['type', 'f32', /unknown type/],
    ['type', 'constructor', /unknown type/],
  ])('are rejected with %s %s', (field, value, message) => {
    expect(() => Columns.decode(withHeader(({ columns }) => (itemAt(columns, 0)[field] = value)))).toThrow(message);
  });

  it('report missing columns and wrong types', () => {
    const columns = Columns.decode(sample());
    expect(() => columns.ints('nope')).toThrow('Column nope is missing.');
    expect(() => columns.ints('bytes')).toThrow(/Float64Array, not Int32Array/);
    expect(() => columns.number('pools')).toThrow(/not a number/);
    expect(() => columns.requireLength(3, ['event'])).toThrow('Column event has 2 entries instead of 3.');
  });

  it('throw only InvalidColumnsError for truncated or corrupted bytes', () => {
    const random = randomFrom(23);
    for (let round = 0; round < 400; round++) {
      const bytes = new Uint8Array(sample());
      for (let flips = 0; flips < 3; flips++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const cut = random() < 0.5 ? bytes.buffer : bytes.buffer.slice(0, Math.floor(random() * bytes.length));
      try {
        Columns.decode(cut);
      } catch (error) {
        expect(error, `seed 23, round ${round}`).toBeInstanceOf(InvalidColumnsError);
      }
    }
  });
});
