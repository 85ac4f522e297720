package dev.vramscope.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Byte sizes as people type them: a number, then optionally a unit. {@code 805306368}, {@code
 * 805,306,368}, {@code 16GiB}, {@code 16 GiB}, {@code 1.5g}, {@code 512 MB} and {@code 100 bytes}
 * are sizes. Case does not matter, and every unit is a power of 1024: KB is KiB, as in the messages
 * of GPU drivers.
 */
public final class ByteSize {
  /** The largest accepted size, 1024 TiB. */
  public static final long MAX_BYTES = 1L << 50;

  /** The accepted sizes, for messages: completes "Write …". */
  public static final String ACCEPTED =
      "a number of bytes up to 1024 TiB, such as 2GiB, 1.5 g or 805306368";

  private static final String UNITS = "KMGT";
  private static final int MAX_LENGTH = 64;
  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d+|\\d{1,3}(?:,\\d{3})+)(\\.\\d+)?\\s*(?:([KMGT])(?:I?B)?|BYTES?|B)?",
          Pattern.CASE_INSENSITIVE);

  private ByteSize() {}

  /**
   * Returns the bytes of a size. Fractions of a byte are dropped.
   *
   * @throws IllegalArgumentException if the text is not a size, or not between 1 byte and {@link
   *     #MAX_BYTES}; the message is for the person who typed it
   */
  public static long parse(String text) {
    String size = text.strip();
    Matcher match = TEXT.matcher(size);
    if (size.length() > MAX_LENGTH || !match.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not " + ACCEPTED);
    }
    String fraction = match.group(2) == null ? "" : match.group(2);
    BigDecimal bytes =
        new BigDecimal(match.group(1).replace(",", "") + fraction)
            .multiply(
                BigDecimal.valueOf(1L << shift(match.group(3) == null ? "" : match.group(3))));
    if (bytes.compareTo(BigDecimal.ONE) < 0) {
      throw new IllegalArgumentException("'" + text + "' is less than 1 byte");
    }
    if (bytes.compareTo(BigDecimal.valueOf(MAX_BYTES)) > 0) {
      throw new IllegalArgumentException("'" + text + "' is more than 1024 TiB");
    }
    return bytes.longValue();
  }

  /** Returns the exact size with the largest unit that needs no fraction, and without a space. */
  public static String format(long bytes) {
    for (int unit = UNITS.length(); unit > 0; unit--) {
      int shift = 10 * unit;
      if (bytes != 0 && bytes >> shift << shift == bytes) {
        return (bytes >> shift) + UNITS.substring(unit - 1, unit) + "iB";
      }
    }
    return Long.toString(bytes);
  }

  private static int shift(String unit) {
    return unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit.toUpperCase(Locale.ROOT)) + 1);
  }
}
