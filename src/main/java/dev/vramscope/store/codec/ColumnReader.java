package dev.vramscope.store.codec;

import java.nio.charset.StandardCharsets;

/** Reads the output of a {@link ColumnWriter}, with bounds checks. */
final class ColumnReader {
  private final BlobKey key;
  private final int version;
  private final byte[] bytes;
  private int position;

  ColumnReader(BlobKey key, int version, byte[] bytes) {
    this.key = key;
    this.version = version;
    this.bytes = bytes;
  }

  /** The format version of the blob. */
  int version() {
    return version;
  }

  byte raw() {
    if (position == bytes.length) {
      throw endsEarly();
    }
    return bytes[position++];
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = raw();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new UnreadableBlobException(key, "a number has more than 64 bits");
  }

  long signed() {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number from 0 to {@code bound}, exclusive. */
  int index(int bound) {
    long value = number();
    if (value < 0 || value >= bound) {
      throw new UnreadableBlobException(key, "the number " + value + " is not below " + bound);
    }
    return (int) value;
  }

  /** A count of elements that follow. */
  int count() {
    return index(Integer.MAX_VALUE);
  }

  String text() {
    long header = number();
    long length = header >>> 1;
    if (length > bytes.length - position) {
      throw endsEarly();
    }
    int from = position;
    position += (int) length;
    return (header & 1) == 0
        ? new String(bytes, from, (int) length, StandardCharsets.UTF_8)
        : utf16(from, (int) length / 2);
  }

  /** Checks that all bytes have been read. */
  void requireEnd() {
    if (position != bytes.length) {
      throw new UnreadableBlobException(
          key, (bytes.length - position) + " bytes follow the last column");
    }
  }

  UnreadableBlobException unreadable(String what) {
    return new UnreadableBlobException(key, what);
  }

  /** Decodes unit by unit: a charset would replace a lone surrogate. */
  private String utf16(int from, int length) {
    char[] units = new char[length];
    for (int i = 0; i < length; i++) {
      units[i] = (char) (bytes[from + 2 * i] << 8 | (bytes[from + 2 * i + 1] & 0xFF));
    }
    return new String(units);
  }

  private UnreadableBlobException endsEarly() {
    return new UnreadableBlobException(key, "it ends at byte " + bytes.length);
  }
}
