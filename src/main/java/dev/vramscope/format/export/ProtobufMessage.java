package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.VisibleText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A message of Protocol Buffers in a growing byte array. Not thread-safe. */
public final class ProtobufMessage {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int MAX_VARINT_BYTES = 10;

  private byte[] bytes = new byte[256];
  private int size;

  public ProtobufMessage clear() {
    size = 0;
    return this;
  }

  /** A number: uint32, uint64, int64, bool or enum. */
  public ProtobufMessage number(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  /** A number without a field: an element of a packed field, which is a message of its elements. */
  public ProtobufMessage element(long value) {
    varint(value);
    return this;
  }

  /** A text; the programs that read it may print it to a terminal. */
  public ProtobufMessage text(int field, String value) {
    byte[] utf8 = VisibleText.of(value).getBytes(UTF_8);
    header(field, utf8.length);
    append(utf8, utf8.length);
    return this;
  }

  public ProtobufMessage message(int field, ProtobufMessage value) {
    header(field, value.size);
    append(value.bytes, value.size);
    return this;
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  private void header(int field, int length) {
    varint((long) field << 3 | LENGTH_DELIMITED);
    varint(length);
  }

  private void append(byte[] from, int length) {
    reserve(length);
    System.arraycopy(from, 0, bytes, size, length);
    size += length;
  }

  private void varint(long value) {
    reserve(MAX_VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}
