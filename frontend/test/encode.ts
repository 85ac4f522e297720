import type { Column } from '../src/model/columns';

const TYPE_NAMES = new Map<unknown, string>([
  [Uint8Array, 'u8'],
  [Int32Array, 'i32'],
  [Float64Array, 'f64'],
  [BigUint64Array, 'u64'],
]);

/** Writes a VSC1 answer as the server does. */
export function encodeColumns(facts: Record<string, unknown>, columns: Record<string, Column>): ArrayBuffer {
  let offset = 0;
  const entries = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: TYPE_NAMES.get(column.constructor), length: column.length, offset };
    offset += Math.ceil(column.byteLength / 8) * 8;
    return entry;
  });
  const json = new TextEncoder().encode(JSON.stringify({ ...facts, columns: entries }));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const answer = new Uint8Array(8 + headerBytes + offset).fill(0x20, 8, 8 + headerBytes);
  new DataView(answer.buffer).setUint32(0, 0x31_43_53_56, true);
  new DataView(answer.buffer).setUint32(4, headerBytes, true);
  answer.set(json, 8);
  for (const [i, column] of Object.values(columns).entries()) {
    answer.set(
      new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
      8 + headerBytes + entries[i].offset,
    );
  }
  return answer.buffer;
}
