package dev.vramscope.analysis;

import java.util.Locale;

/**
 * Bytes as every page and sentence says them: at most two decimals of the largest binary unit that
 * leaves at least 1, as PyTorch's error messages have them, so that a number from a log is found
 * again. {@code frontend/src/base/bytes.ts} is the same rule for the canvases.
 */
public final class ByteText {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteText() {}

  /** Such as {@code 512 B}, {@code 784 MiB} or {@code 21.97 GiB}. */
  public static String of(long bytes) {
    if (-1024 < bytes && bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    // 1023.995 and above would be printed as 1024 of the smaller unit.
    while (Math.abs(value) >= 1023.995 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String text = String.format(Locale.ROOT, "%.2f", value).replaceFirst("\\.?0+$", "");
    return text + " " + UNITS[unit];
  }
}
