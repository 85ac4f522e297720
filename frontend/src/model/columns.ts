/**
 * The binary answers of the server, little-endian:
 *
 *   u32 "VSC1" · u32 header bytes · header (UTF-8 JSON, space-padded to a multiple of 8) · columns, each at a multiple of 8
 *
 * The header lists the columns as {name, type, length, offset}, offset counted from the first column byte.
 */
const MAGIC = 0x31_43_53_56;

export type Column = Uint8Array | Int32Array | Float64Array | BigUint64Array;

const TYPES = { u8: Uint8Array, i32: Int32Array, f64: Float64Array, u64: BigUint64Array } as const;
type TypeName = keyof typeof TYPES;

/** An answer that is not what it should be: says which part and what was found. */
export class BrokenColumns extends Error {}

/** Decoded columns with the facts that came in the header. */
export class Columns {
  private constructor(
    readonly facts: Readonly<Record<string, unknown>>,
    private readonly byName: ReadonlyMap<string, Column>,
  ) {}

  /** Views into `buffer`, nothing is copied. Throws BrokenColumns. */
  static decode(buffer: ArrayBuffer): Columns {
    if (buffer.byteLength < 8)
      throw new BrokenColumns(`The answer ends after ${buffer.byteLength} of at least 8 bytes.`);
    const view = new DataView(buffer);
    const magic = view.getUint32(0, true);
    if (magic !== MAGIC) throw new BrokenColumns(`The answer starts with 0x${magic.toString(16)}, not with VSC1.`);
    const headerBytes = view.getUint32(4, true);
    const start = 8 + headerBytes;
    if (start > buffer.byteLength) {
      throw new BrokenColumns(`The header of ${headerBytes} bytes runs past the end at ${buffer.byteLength}.`);
    }
    if (start % 8 !== 0) throw new BrokenColumns(`The columns start at byte ${start}, not at a multiple of 8.`);
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

  /** A finite number of the header. Throws BrokenColumns. */
  number(name: string): number {
    const value = this.facts[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new BrokenColumns(`The header's ${name} is ${JSON.stringify(value)}, not a number.`);
    }
    return value;
  }

  /** A number of the header, NaN where the server says null: not known. */
  numberOrNaN(name: string): number {
    return this.facts[name] == null ? NaN : this.number(name);
  }

  /** A list of the header. Throws BrokenColumns. */
  list(name: string): readonly unknown[] {
    const value = this.facts[name];
    if (!Array.isArray(value)) throw new BrokenColumns(`The header's ${name} is not a list.`);
    return value;
  }

  /** Refuses columns that should be parallel and are not. */
  requireLength(length: number, names: readonly string[]): void {
    for (const name of names) {
      const actual = this.byName.get(name)?.length;
      if (actual !== length)
        throw new BrokenColumns(`Column ${name} has ${actual ?? 'no'} entries instead of ${length}.`);
    }
  }

  private typed<C extends Column>(name: string, type: new (...none: never[]) => C): C {
    const column = this.byName.get(name);
    if (column === undefined) throw new BrokenColumns(`Column ${name} is missing.`);
    if (!(column instanceof type))
      throw new BrokenColumns(`Column ${name} is ${column.constructor.name}, not ${type.name}.`);
    return column;
  }
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> & { columns: unknown[] } {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new BrokenColumns(`The header is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const columns = (header as { columns?: unknown } | null)?.columns;
  if (!Array.isArray(columns)) throw new BrokenColumns('The header lists no columns.');
  return header as Record<string, unknown> & { columns: unknown[] };
}

function decodeColumn(buffer: ArrayBuffer, start: number, entry: unknown): { name: string; column: Column } {
  const { name, type, length, offset } = entry as { name: string; type: TypeName; length: number; offset: number };
  if (!Object.hasOwn(TYPES, type)) throw new BrokenColumns(`Column ${name} has the unknown type ${String(type)}.`);
  if (!isSize(length) || !isSize(offset) || offset % 8 !== 0) {
    throw new BrokenColumns(`Column ${name} claims ${length} entries at ${offset}.`);
  }
  const Type = TYPES[type];
  const end = start + offset + length * Type.BYTES_PER_ELEMENT;
  if (end > buffer.byteLength) {
    throw new BrokenColumns(`Column ${name} ends at byte ${end}, the answer at ${buffer.byteLength}.`);
  }
  return { name, column: new Type(buffer, start + offset, length) };
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
