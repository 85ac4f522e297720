package dev.vramscope.evidence;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A number of bytes from a text, read with its unit. A number whose unit is missing, cut off or not
 * known is none: 256 of {@code 256.00MiB} is not 256 bytes.
 *
 * @param bytes the written number, to the nearest byte
 * @param errorBytes the most by which the original number may differ, because the text is rounded
 */
public record Quantity(long bytes, long errorBytes) {
  /**
   * Digits, with commas between thousands or without, and the sign of a negative number, which is
   * no size. Looking for the first character first is what most characters of a text take.
   */
  private static final String DIGITS =
      "(?=[-0-9])(?<![-.0-9])(?<![0-9],)(-?(?:[0-9]{1,3}(?:,[0-9]{3}){1,6}|[0-9]{1,20})";

  /** A size by time, by step or by something else is none. */
  private static final String NO_RATE = "(?! {0,2}/ {0,2}[A-Za-z]| per\\b)";

  /** A blank may be before a unit, but not before a single letter, which may be the next word. */
  private static final String UNIT = "(?: ?(?:bytes?|[kKMGTPE]i?B|B)|[KMGTPE])\\b" + NO_RATE;

  /** Not the rest of a number, of another unit, of a share, or of a rate. */
  private static final String END =
      NO_RATE
          + "(?![.,]?[0-9A-Za-z_%])"
          + "(?! (?i:[KMGT]|(?:[KMGTPEZY]i?|kilo|mega|giga|tera)?(?:b|bits?|bytes?))\\b| %)";

  /** A size, with a group each for number and unit. */
  public static final String PATTERN = DIGITS + "(?:\\.[0-9]{1,6})?)(" + UNIT + ")";

  /** The same of a program that writes whole bytes without a unit, or has done so. */
  public static final String BARE_PATTERN =
      DIGITS + "(?:\\.[0-9]{1,6}(?=" + UNIT + "))?)(" + UNIT + "|" + END + ")";

  /** PyTorch's texts before 1.7 or so, and pastes, write KB for KiB; XLA writes K. */
  private static final String BINARY_UNITS = "KMGTPE";

  /** No device has more; PyTorch writes 2^64 for "no limit". */
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 60);

  /** A number that was written without rounding. */
  public static Quantity exact(long bytes) {
    return new Quantity(bytes, 0);
  }

  /**
   * Parses the groups of {@link #PATTERN} or {@link #BARE_PATTERN}; empty if no device has that
   * many bytes, or if they are negative.
   */
  public static Optional<Quantity> of(String number, String unit) {
    int binary =
        unit.isBlank() ? -1 : BINARY_UNITS.indexOf(Character.toUpperCase(unit.strip().charAt(0)));
    BigDecimal scale = BigDecimal.valueOf(1L << (10 * (binary + 1)));
    BigDecimal written = new BigDecimal(number.replace(",", ""));
    // Whole bytes are exact; of everything else, the last digit is rounded.
    BigDecimal error =
        binary < 0 && written.scale() == 0
            ? BigDecimal.ZERO
            : scale.movePointLeft(written.scale()).divide(BigDecimal.TWO, RoundingMode.CEILING);
    BigDecimal bytes = written.multiply(scale);
    return bytes.signum() < 0 || bytes.compareTo(MOST) > 0
        ? Optional.empty()
        : Optional.of(
            new Quantity(
                bytes.setScale(0, RoundingMode.HALF_UP).longValueExact(),
                error.setScale(0, RoundingMode.CEILING).longValueExact()));
  }

  /** The lowest that the original number may have been. */
  public long leastBytes() {
    return Math.max(0, bytes - errorBytes);
  }

  /** The highest that the original number may have been. */
  public long mostBytes() {
    return bytes + errorBytes;
  }

  /** The same number of a program that rounds down, as XLA does, instead of to the nearest. */
  public Quantity roundedDown() {
    return new Quantity(bytes, 2 * errorBytes);
  }

  /** The sum, whose error is at most that of all together. */
  public Quantity plus(Quantity other) {
    return new Quantity(bytes + other.bytes, errorBytes + other.errorBytes);
  }

  /** Whether the original number may have been this one. */
  public boolean mayBe(long other) {
    return Math.abs(other - bytes) <= errorBytes;
  }
}
