package dev.vramscope.format.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * Writes structs in Thrift's compact protocol. Fields must come in ascending order of their
 * numbers.
 */
final class ThriftOutput {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int STRUCT = 12;
  private static final int MAX_DEPTH = 16;
  private static final int SHORT_LIST = 15;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The number of the last field of each open struct. */
  private final int[] lastFields = new int[MAX_DEPTH];

  private int depth;

  /** The bytes of the outermost struct, whose end is written here. */
  byte[] finish() {
    out.write(0);
    return out.toByteArray();
  }

  ThriftOutput i32(int field, int value) {
    header(field, I32);
    zigzag(value);
    return this;
  }

  ThriftOutput i64(int field, long value) {
    header(field, I64);
    zigzag(value);
    return this;
  }

  ThriftOutput bool(int field, boolean value) {
    header(field, value ? TRUE : FALSE);
    return this;
  }

  ThriftOutput text(int field, String value) {
    return binary(field, value.getBytes(UTF_8));
  }

  ThriftOutput binary(int field, byte[] value) {
    header(field, BINARY);
    bytes(value);
    return this;
  }

  ThriftOutput begin(int field) {
    header(field, STRUCT);
    return element();
  }

  /** Begins a struct that is an element of a list. */
  ThriftOutput element() {
    lastFields[++depth] = 0;
    return this;
  }

  ThriftOutput end() {
    out.write(0);
    depth--;
    return this;
  }

  /** The elements, each with {@link #element} and {@link #end}, must follow. */
  ThriftOutput structs(int field, int size) {
    list(field, size, STRUCT);
    return this;
  }

  ThriftOutput i32s(int field, int... values) {
    list(field, values.length, I32);
    for (int value : values) {
      zigzag(value);
    }
    return this;
  }

  ThriftOutput texts(int field, String... values) {
    list(field, values.length, BINARY);
    for (String value : values) {
      bytes(value.getBytes(UTF_8));
    }
    return this;
  }

  private void list(int field, int size, int type) {
    header(field, LIST);
    if (size < SHORT_LIST) {
      out.write(size << 4 | type);
    } else {
      out.write(SHORT_LIST << 4 | type);
      Varints.write(out, size);
    }
  }

  private void header(int field, int type) {
    int delta = field - lastFields[depth];
    if (delta < 1 || delta > SHORT_LIST) {
      throw new IllegalArgumentException("field " + field + " after " + lastFields[depth]);
    }
    out.write(delta << 4 | type);
    lastFields[depth] = field;
  }

  private void zigzag(long value) {
    Varints.write(out, value << 1 ^ value >> (Long.SIZE - 1));
  }

  private void bytes(byte[] value) {
    Varints.write(out, value.length);
    out.writeBytes(value);
  }
}
