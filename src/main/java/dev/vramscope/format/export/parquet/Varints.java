package dev.vramscope.format.export.parquet;

import java.io.ByteArrayOutputStream;

/** Unsigned numbers of seven bits per byte, lowest first. */
final class Varints {
  private Varints() {}

  static void write(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
