package dev.vramscope.allocator.bfc.log;

/**
 * Sizes in XLA's format: bytes, or KiB with one digit, or larger units with two. A size is divided
 * by 1024, rounding down, until it is below 1 MiB; then the fraction is rounded, exact ties to
 * even.
 */
public final class HumanBytes {
  private static final long MIB = 1L << 20;
  private static final String UNITS = "KMGTPE";

  private HumanBytes() {}

  public static String text(long bytes) {
    return bytes < 0 ? "-" + unsignedText(-bytes) : unsignedText(bytes);
  }

  /** A size from 0 to below 2^64. */
  public static String unsignedText(long bytes) {
    if (bytes >= 0 && bytes < 1024) {
      return bytes + "B";
    }
    long rest = bytes;
    int unit = 0;
    while (rest < 0 || rest >= MIB) {
      rest >>>= 10;
      unit++;
    }
    int scale = unit == 0 ? 10 : 100;
    long scaled = divideRoundingHalfEven(rest * scale, 1024);
    String fraction = Long.toString(scale + scaled % scale).substring(1);
    return scaled / scale + "." + fraction + UNITS.charAt(unit) + "iB";
  }

  private static long divideRoundingHalfEven(long value, long divisor) {
    long quotient = value / divisor;
    long twice = 2 * (value % divisor);
    boolean up = twice > divisor || (twice == divisor && (quotient & 1) == 1);
    return up ? quotient + 1 : quotient;
  }
}
