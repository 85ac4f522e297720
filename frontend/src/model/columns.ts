import { parseVisible } from '../base/visible-text';
/**
 * Binary responses of the server, little-endian:
 *
 *   u32 "VSC1" · u32 header bytes · header (UTF-8 JSON, space-padded to a multiple of 8) · columns, each at a multiple of 8
 *
 * The header lists the columns as {name, type, length, offset}; offsets are relative to the first column byte.
 */
const MAGIC = 0x31_43_53_56;

export type Column = Uint8Array | Int32Array | Float64Array | BigUint64Array;

/** Column types; test/fixtures/wire-enums.json lists their widths. */
export const COLUMN_TYPES = { u8: Uint8Array, i32: Int32Array, f64: Float64Array, u64: BigUint64Array } as const;
type TypeName = keyof typeof COLUMN_TYPES;

/** A malformed response; the message names the invalid part and the value found. */
export class InvalidColumnsError extends Error {}

/** Decoded columns and the members of their header. */
export class Columns {
  private constructor(
    readonly header: Readonly<Record<string, unknown>>,
    private readonly byName: ReadonlyMap<string, Column>,
  ) {}

  /** Decodes views into `buffer` without copying. Throws InvalidColumnsError. */
  static decode(buffer: ArrayBuffer): Columns {
    if (buffer.byteLength < 8)
      throw new InvalidColumnsError(`The response ends after ${buffer.byteLength} of at least 8 bytes.`);
    const view = new DataView(buffer);
    const magic = view.getUint32(0, true);
    if (magic !== MAGIC)
      throw new InvalidColumnsError(`The response starts with 0x${magic.toString(16)}, not with VSC1.`);
    const headerBytes = view.getUint32(4, true);
    const start = 8 + headerBytes;
    if (start > buffer.byteLength) {
      throw new InvalidColumnsError(`The header of ${headerBytes} bytes runs past the end at ${buffer.byteLength}.`);
    }
    if (start % 8 !== 0) throw new InvalidColumnsError(`The columns start at byte ${start}, not at a multiple of 8.`);
    const header = parseHeader(new Uint8Array(buffer, 8, headerBytes));
    const byName = new Map<string, Column>();
    for (const entry of header.columns) {
      const { name, column } = decodeColumn(buffer, start, entry);
      byName.set(name, column);
    }
    return new Columns(header, byName);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  bytes(name: string): Uint8Array {
    return this.typed(name, Uint8Array);
  }

  ints(name: string): Int32Array {
    return this.typed(name, Int32Array);
  }

  numbers(name: string): Float64Array {
    return this.typed(name, Float64Array);
  }

  addresses(name: string): BigUint64Array {
    return this.typed(name, BigUint64Array);
  }

  /** A finite number in the header. Throws InvalidColumnsError. */
  number(name: string): number {
    const value = this.header[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new InvalidColumnsError(`The header's ${name} is ${JSON.stringify(value)}, not a number.`);
    }
    return value;
  }

  /** A number in the header; null, which means unknown, becomes NaN. */
  numberOrNaN(name: string): number {
    return this.header[name] == null ? NaN : this.number(name);
  }

  /** A text in the header. Throws InvalidColumnsError. */
  text(name: string): string {
    const value = this.header[name];
    if (typeof value !== 'string')
      throw new InvalidColumnsError(`The header's ${name} is ${JSON.stringify(value)}, not a text.`);
    return value;
  }

  /** An array in the header. Throws InvalidColumnsError. */
  list(name: string): readonly unknown[] {
    const value = this.header[name];
    if (!Array.isArray(value)) throw new InvalidColumnsError(`The header's ${name} is not a list.`);
    return value;
  }

  /** Throws InvalidColumnsError unless each of the columns has `length` entries. */
  requireLength(length: number, names: readonly string[]): void {
    for (const name of names) {
      const actual = this.byName.get(name)?.length;
      if (actual !== length)
        throw new InvalidColumnsError(`Column ${name} has ${actual ?? 'no'} entries instead of ${length}.`);
    }
  }

  private typed<C extends Column>(name: string, type: new (...args: never[]) => C): C {
    const column = this.byName.get(name);
    if (column === undefined) throw new InvalidColumnsError(`Column ${name} is missing.`);
    if (!(column instanceof type))
      throw new InvalidColumnsError(`Column ${name} is ${column.constructor.name}, not ${type.name}.`);
    return column;
  }
}

/**
 * Frees the memory of a response whose columns are not read any more: megabytes that garbage collection, which sees only
 * a few small objects, would leave for seconds. Browsers without `transfer` leave it to garbage collection.
 */
export function discardResponse(column: Column): void {
  (column.buffer as { transfer?(bytes: number): unknown }).transfer?.(0);
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> & { columns: unknown[] } {
  let header: unknown;
  try {
    header = parseVisible(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new InvalidColumnsError(`The header is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  const columns = (header as { columns?: unknown } | null)?.columns;
  if (!Array.isArray(columns)) throw new InvalidColumnsError('The header does not list columns.');
  return header as Record<string, unknown> & { columns: unknown[] };
}

function decodeColumn(buffer: ArrayBuffer, start: number, entry: unknown): { name: string; column: Column } {
  const { name, type, length, offset } = entry as { name: string; type: TypeName; length: number; offset: number };
  if (!Object.hasOwn(COLUMN_TYPES, type))
    throw new InvalidColumnsError(`Column ${name} has the unknown type ${String(type)}.`);
  if (!isSize(length) || !isSize(offset) || offset % 8 !== 0) {
    throw new InvalidColumnsError(`Column ${name} has invalid length ${length} or offset ${offset}.`);
  }
  const Type = COLUMN_TYPES[type];
  const end = start + offset + length * Type.BYTES_PER_ELEMENT;
  if (end > buffer.byteLength) {
    throw new InvalidColumnsError(
      `Column ${name} ends at byte ${end}, but the response ends at byte ${buffer.byteLength}.`,
    );
  }
  return { name, column: new Type(buffer, start + offset, length) };
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
