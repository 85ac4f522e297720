import { itemAt } from '../src/base/at';
import type { Column } from '../src/model/columns';

const TYPE_NAMES = new Map<unknown, string>([
  [Uint8Array, 'u8'],
  [Int32Array, 'i32'],
  [Float64Array, 'f64'],
  [BigUint64Array, 'u64'],
]);

/** Encodes a VSC1 response like the server. */
export function encodeColumns(header: Record<string, unknown>, columns: Record<string, Column>): ArrayBuffer {
  let offset = 0;
  const entries = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: TYPE_NAMES.get(column.constructor), length: column.length, offset };
    offset += Math.ceil(column.byteLength / 8) * 8;
    return entry;
  });
  const json = new TextEncoder().encode(JSON.stringify({ ...header, columns: entries }));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const response = new Uint8Array(8 + headerBytes + offset).fill(0x20, 8, 8 + headerBytes);
  new DataView(response.buffer).setUint32(0, 0x31_43_53_56, true);
  new DataView(response.buffer).setUint32(4, headerBytes, true);
  response.set(json, 8);
  for (const [i, column] of Object.values(columns).entries()) {
    response.set(
      new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
      8 + headerBytes + itemAt(entries, i).offset,
    );
  }
  return response.buffer;
}
