package dev.vramscope.store.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers and texts as a growing row of bytes, small numbers in few of them. Not thread-safe. */
final class ColumnWriter {
  private static final int LONGEST_VARINT = 10;

  private byte[] bytes = new byte[1 << 12];
  private int size;

  /** Bytes written. */
  int size() {
    return size;
  }

  /** The bytes, with room behind {@link #size()}. */
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

  /** An unsigned number, seven bits a byte, lowest first. */
  void number(long value) {
    reserve(LONGEST_VARINT);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A number around zero: 0, -1, 1, -2 become 0, 1, 2, 3. */
  void signed(long value) {
    number((value << 1) ^ (value >> 63));
  }

  /**
   * A text: its length and whether it is UTF-16 in one number, then its bytes. UTF-8, unless that
   * would lose half of a surrogate pair.
   */
  void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    boolean whole = new String(utf8, StandardCharsets.UTF_8).equals(text);
    byte[] chosen = whole ? utf8 : utf16(text);
    number((long) chosen.length << 1 | (whole ? 0 : 1));
    append(chosen, chosen.length);
  }

  /** Another writer's bytes. */
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
