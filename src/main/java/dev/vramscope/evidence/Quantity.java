package dev.vramscope.evidence;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A number of bytes from a text.
 *
 * @param bytes the written number, to the nearest byte
 * @param errorBytes the most by which the original number may differ, because the text is rounded
 */
public record Quantity(long bytes, long errorBytes) {
  /** A size as PyTorch writes it, with a group each for number and unit; a negative one is none. */
  public static final String PATTERN =
      "(?<![-.0-9])([0-9]{1,12}(?:\\.[0-9]{1,6})?) ?(bytes|[KMGT]i?B|B)\\b";

  /** PyTorch's texts before 1.7 or so, and pastes, write KB for KiB. */
  private static final Map<String, Integer> SHIFTS =
      Map.of("K", 10, "M", 20, "G", 30, "T", 40, "P", 50, "E", 60);

  /** No device has more; PyTorch writes 2^64 for "no limit". */
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 60);

  /**
   * Parses the groups of {@link #PATTERN}; empty if no device has that many bytes.
   *
   * @param number digits, with commas between thousands or without
   * @param unit begins with the letter of a binary unit; anything else means bytes
   */
  public static Optional<Quantity> of(String number, String unit) {
    int shift =
        SHIFTS.getOrDefault(
            unit.toUpperCase(Locale.ROOT).substring(0, Math.min(1, unit.length())), 0);
    BigDecimal scale = BigDecimal.valueOf(1L << shift);
    BigDecimal written = new BigDecimal(number.replace(",", ""));
    BigDecimal error =
        shift == 0
            ? BigDecimal.ZERO
            : scale.movePointLeft(written.scale()).divide(BigDecimal.TWO, RoundingMode.CEILING);
    BigDecimal bytes = written.multiply(scale);
    return bytes.compareTo(MOST) > 0
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

  /** The sum, whose error is at most that of all together. */
  public Quantity plus(Quantity other) {
    return new Quantity(bytes + other.bytes, errorBytes + other.errorBytes);
  }

  /** Whether the original number may have been this one. */
  public boolean mayBe(long other) {
    return Math.abs(other - bytes) <= errorBytes;
  }
}
