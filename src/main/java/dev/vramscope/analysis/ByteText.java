package dev.vramscope.analysis;

import java.util.Locale;

/** Bytes in a sentence: two decimals of the largest binary unit that leaves at least 1. */
public final class ByteText {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteText() {}

  public static String of(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes + (Math.abs(bytes) == 1 ? " byte" : " bytes");
    }
    double value = bytes / 1024.0;
    int unit = 0;
    // 1023.995 and above would be printed as 1024.00 of the smaller unit.
    while (Math.abs(value) >= 1023.995 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f %s", value, UNITS[unit]);
  }
}
