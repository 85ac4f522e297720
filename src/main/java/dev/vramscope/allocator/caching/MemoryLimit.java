package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** How much memory the allocator holds from the device, and how much it may hold. */
final class MemoryLimit {
  private static final long NONE = -1;

  private final long deviceBytes;
  private long allowedBytes = NONE;
  private long heldBytes;

  MemoryLimit(long deviceBytes) {
    this.deviceBytes = deviceBytes;
  }

  long deviceBytes() {
    return deviceBytes;
  }

  long heldBytes() {
    return heldBytes;
  }

  void addHeld(long bytes) {
    heldBytes += bytes;
  }

  boolean isSet() {
    return allowedBytes != NONE;
  }

  /** The most memory the allocator may hold: that of the whole device if no fraction is set. */
  long allowedBytes() {
    return isSet() ? allowedBytes : deviceBytes;
  }

  /** Whether holding this many more bytes would exceed the limit. */
  boolean isExceededBy(long bytes) {
    return isSet() && heldBytes + bytes > allowedBytes;
  }

  /**
   * Whether garbage is collected, which needs a limit; ages of free blocks are needed only then.
   */
  boolean isGarbageCollected(Configuration configuration) {
    return isSet() && configuration.garbageCollectionThreshold() > 0;
  }

  void setFraction(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          "invalid fraction:" + sixDigits(fraction) + ". Please set within [0, 1].");
    }
    allowedBytes = fraction < 1 ? (long) Math.floor(fraction * deviceBytes + 0.5) : NONE;
  }

  double fraction() {
    return isSet() ? (double) allowedBytes / deviceBytes : 1;
  }

  /** A number as C++ streams print it: six significant digits, exponents from 10^6 on. */
  private static String sixDigits(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    BigDecimal rounded =
        new BigDecimal(value)
            .round(new MathContext(6, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (rounded.signum() == 0) {
      return "0";
    }
    if (exponent >= -4 && exponent < 6) {
      return rounded.toPlainString();
    }
    String digits = rounded.scaleByPowerOfTen(-exponent).toPlainString();
    return digits
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }
}
