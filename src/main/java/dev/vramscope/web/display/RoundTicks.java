package dev.vramscope.web.display;

import java.util.ArrayList;
import java.util.List;

/**
 * Values on the axis of a chart, equally far from each other and with short texts. Each method
 * returns the multiples of a round step that are within the range, about {@code most} of them.
 */
public final class RoundTicks {
  private static final long MINUTE = 60_000_000;

  private RoundTicks() {}

  /** Multiples of 1, 2 or 5 times a power of ten. */
  public static List<Long> counts(long low, long high, int most) {
    return multiples(decimal(high - low, most, 1), low, high);
  }

  /** Multiples of a power of two. */
  public static List<Long> bytes(long low, long high, int most) {
    long step = 1;
    while ((high - low) / step > most) {
      step *= 2;
    }
    return multiples(step, low, high);
  }

  /** Multiples of 1, 2 or 5 times a power of ten of microseconds, or else of minutes. */
  public static List<Long> micros(long low, long high, int most) {
    return multiples(decimal(high - low, most, high - low < MINUTE ? 1 : MINUTE / 10), low, high);
  }

  private static long decimal(long span, int most, long unit) {
    long power = unit;
    while (span / power > 10L * most) {
      power *= 10;
    }
    for (int factor : new int[] {1, 2, 5}) {
      if (span / (factor * power) <= most) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static List<Long> multiples(long step, long low, long high) {
    List<Long> ticks = new ArrayList<>();
    for (long tick = Math.ceilDiv(low, step) * step; tick <= high; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }
}
