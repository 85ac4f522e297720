package dev.vramscope.compiled.scaling;

import org.jspecify.annotations.Nullable;

/**
 * Bytes at a value for which nothing was compiled.
 *
 * @param least they may be fewer as far as the programs tell
 * @param likely null if no law fits: then only the range is known
 * @param most the same as {@code least} if nothing shows how far the estimate may be off
 */
public record ByteEstimate(long least, @Nullable Long likely, long most) {
  static final ByteEstimate NOTHING = exactly(0);

  /** Far above every device, so that sums do not overflow. */
  private static final double LARGEST = 1L << 58;

  static ByteEstimate exactly(long bytes) {
    return new ByteEstimate(bytes, bytes, bytes);
  }

  /** Bytes with what they may be off on either side. */
  static ByteEstimate around(double likely, double margin) {
    long bytes = bytes(likely);
    return new ByteEstimate(
        Math.min(bytes, bytes(likely - margin)), bytes, Math.max(bytes, bytes(likely + margin)));
  }

  static ByteEstimate between(double least, double most) {
    return new ByteEstimate(bytes(Math.min(least, most)), null, bytes(Math.max(least, most)));
  }

  private static long bytes(double value) {
    return Math.round(Math.clamp(value, 0, LARGEST));
  }

  ByteEstimate plus(ByteEstimate other) {
    return new ByteEstimate(
        least + other.least,
        likely == null || other.likely == null ? null : (Long) (likely + other.likely),
        most + other.most);
  }
}
