package dev.vramscope.live;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whole bytes as requests write them: {@code 2GiB}, {@code 64m}, {@code 805306368}. */
final class ByteCount {
  private static final String UNITS = "KMGT";
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\s?([KMGT]?)(?:I?B)?");

  private ByteCount() {}

  /** The bytes of a text, or null if it is none. KB is taken as KiB, as drivers mean it. */
  static @Nullable Long parse(String text) {
    Matcher match = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!match.matches()) {
      return null;
    }
    long count = Long.parseLong(match.group(1));
    int shift = match.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(match.group(2)) + 1);
    return count <= Long.MAX_VALUE >> shift ? (Long) (count << shift) : null;
  }

  /** With the largest unit that needs no fraction, and no space: a choice of card is one word. */
  static String text(long bytes) {
    for (int unit = UNITS.length(); unit > 0; unit--) {
      int shift = 10 * unit;
      if (bytes != 0 && bytes >> shift << shift == bytes) {
        return (bytes >> shift) + UNITS.substring(unit - 1, unit) + "iB";
      }
    }
    return Long.toString(bytes);
  }
}
