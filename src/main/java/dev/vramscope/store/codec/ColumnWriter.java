package dev.vramscope.store.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes numbers and strings into a growing byte array, as varints. Not thread-safe. */
final class ColumnWriter {
  private static final int MAX_VARINT_BYTES = 10;

  private byte[] bytes = new byte[1 << 12];
  private int size;

  /** The number of bytes written. */
  int size() {
    return size;
  }

  /** The backing array; only the first {@link #size()} bytes are used. */
  byte[] array() {
    return bytes;
  }

  void clear() {
    size = 0;
  }

  void raw(byte value) {
    reserve(1);
    bytes[size++] = value;
  }

  /** An unsigned varint: seven bits per byte, lowest first. */
  void number(long value) {
    reserve(MAX_VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A signed number in zigzag encoding: 0, -1, 1, -2 become 0, 1, 2, 3. */
  void signed(long value) {
    number((value << 1) ^ (value >> 63));
  }

  /**
   * A string: its byte length and encoding in one number, then its bytes. The encoding is UTF-8, or
   * UTF-16 if the string has a lone surrogate, which UTF-8 would lose.
   */
  void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    boolean lossless = new String(utf8, StandardCharsets.UTF_8).equals(text);
    byte[] bytes = lossless ? utf8 : utf16(text);
    number((long) bytes.length << 1 | (lossless ? 0 : 1));
    append(bytes, bytes.length);
  }

  /** Appends the bytes of another writer. */
  void append(ColumnWriter column) {
    append(column.bytes, column.size);
  }

  private void append(byte[] source, int length) {
    reserve(length);
    System.arraycopy(source, 0, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }

  private static byte[] utf16(String text) {
    byte[] units = new byte[text.length() * 2];
    for (int i = 0; i < text.length(); i++) {
      units[2 * i] = (byte) (text.charAt(i) >> 8);
      units[2 * i + 1] = (byte) text.charAt(i);
    }
    return units;
  }
}
