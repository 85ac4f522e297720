import { describe, expect, it } from 'vitest';
import { BrokenColumns, Columns } from '../src/model/columns';
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
  const answer = sample();
  const headerBytes = new DataView(answer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(answer, 8, headerBytes)));
  change(header);
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array(Math.ceil(json.length / 8) * 8).fill(0x20);
  padded.set(json);
  const whole = new Uint8Array(8 + padded.length + answer.byteLength - 8 - headerBytes);
  whole.set(new Uint8Array(answer, 0, 8));
  new DataView(whole.buffer).setUint32(4, padded.length, true);
  whole.set(padded, 8);
  whole.set(new Uint8Array(answer, 8 + headerBytes), 8 + padded.length);
  return whole.buffer;
}

describe('columns', () => {
  it('come out as they went in', () => {
    const columns = Columns.decode(sample());
    expect([...columns.bytes('state')]).toEqual([0, 1, 2]);
    expect([...columns.ints('event')]).toEqual([-1, 7]);
    expect([...columns.numbers('bytes')]).toEqual([NaN, 2 ** 52]);
    expect([...columns.addresses('address')]).toEqual([0xffff_ffff_ffff_ffffn]);
    expect(columns.number('peakBytes')).toBe(2 ** 40);
    expect(columns.numberOrNaN('deviceFreeBytes')).toBeNaN();
    expect(columns.list('pools')).toEqual(['(0, 0)']);
  });

  it('are refused without their first four bytes', () => {
    const answer = sample();
    new Uint8Array(answer)[0] = 0x3c;
    expect(() => Columns.decode(answer)).toThrow(/not with VSC1/);
    expect(() => Columns.decode(new ArrayBuffer(3))).toThrow(/ends after 3/);
  });

  it('are refused when the header runs past the end or is no JSON', () => {
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
    ['length', 1e9, /the answer at/],
    ['length', -1, /claims -1/],
    ['length', 1.5, /claims 1.5/],
    ['offset', 4, /at 4/],
    ['type', 'f32', /unknown type/],
    ['type', 'constructor', /unknown type/],
  ])('are refused with %s %s', (field, value, message) => {
    expect(() => Columns.decode(withHeader(({ columns }) => (columns[0][field] = value)))).toThrow(message);
  });

  it('name what is missing or of another type', () => {
    const columns = Columns.decode(sample());
    expect(() => columns.ints('nope')).toThrow('Column nope is missing.');
    expect(() => columns.ints('bytes')).toThrow(/Float64Array, not Int32Array/);
    expect(() => columns.number('pools')).toThrow(/not a number/);
    expect(() => columns.requireLength(3, ['event'])).toThrow('Column event has 2 entries instead of 3.');
  });

  it('never fail in another way, however the bytes are cut or flipped', () => {
    const random = randomFrom(23);
    for (let round = 0; round < 400; round++) {
      const bytes = new Uint8Array(sample());
      for (let flips = 0; flips < 3; flips++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const cut = random() < 0.5 ? bytes.buffer : bytes.buffer.slice(0, Math.floor(random() * bytes.length));
      try {
        Columns.decode(cut);
      } catch (error) {
        expect(error, `seed 23, round ${round}`).toBeInstanceOf(BrokenColumns);
      }
    }
  });
});
