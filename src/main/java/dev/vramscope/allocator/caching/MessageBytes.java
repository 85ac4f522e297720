package dev.vramscope.allocator.caching;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats bytes as in PyTorch's messages. */
final class MessageBytes {
  private MessageBytes() {}

  /**
   * The text with its unit.
   *
   * @param bytes unsigned
   */
  static String of(long bytes) {
    if (Long.compareUnsigned(bytes, 1L << 10) <= 0) {
      return bytes + " bytes";
    }
    if (Long.compareUnsigned(bytes, 1L << 20) <= 0) {
      return inUnits(bytes, 10) + " KiB";
    }
    if (Long.compareUnsigned(bytes, 1L << 30) <= 0) {
      return inUnits(bytes, 20) + " MiB";
    }
    return inUnits(bytes, 30) + " GiB";
  }

  /** Two decimals of the exact value, ties to even, as C prints them. */
  private static String inUnits(long bytes, int log2) {
    double value = bytes >= 0 ? bytes : (bytes >>> 1) * 2.0;
    return new BigDecimal(Math.scalb(value, -log2)).setScale(2, RoundingMode.HALF_EVEN).toString();
  }
}
