package dev.vramscope.model;

import java.util.Locale;

/**
 * Formats bytes for pages and messages: at most two decimals of the largest binary unit that gives
 * at least 1. PyTorch's error messages round in the same way, so a number from a log can be found
 * on a page. {@code frontend/src/base/bytes.ts} formats the numbers on canvases by the same rule,
 * which a shared fixture checks; {@link dev.vramscope.model.ByteSize#format} writes exact sizes.
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
