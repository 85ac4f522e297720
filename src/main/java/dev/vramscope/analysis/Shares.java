package dev.vramscope.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Percentages with one decimal that add up to that of the sum of the parts, by the largest
 * remainder. {@code base/numbers.ts} computes the same.
 */
public final class Shares {
  private static final int TENTHS = 1000;

  private Shares() {}

  /** The shares of parts of a whole; a part above zero is never shown as zero. */
  public static List<String> of(List<Long> parts, long whole) {
    if (whole <= 0) {
      return parts.stream().map(_ -> "–").toList();
    }
    double[] exact = parts.stream().mapToDouble(part -> (double) TENTHS * part / whole).toArray();
    int[] tenths = IntStream.range(0, exact.length).map(i -> (int) exact[i]).toArray();
    double total = (double) TENTHS * parts.stream().mapToLong(Long::longValue).sum() / whole;
    long left = Math.round(total) - IntStream.of(tenths).asLongStream().sum();
    IntStream.range(0, exact.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> tenths[i] - exact[i]))
        .limit(Math.max(0, left))
        .toList()
        .forEach(i -> tenths[i]++);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < tenths.length; i++) {
      texts.add(text(parts.get(i), tenths[i]));
    }
    return texts;
  }

  private static String text(long part, int tenths) {
    if (tenths == 0) {
      return part == 0 ? "0 %" : "under 0.1 %";
    }
    return tenths == TENTHS ? "100 %" : String.format(Locale.ROOT, "%.1f %%", tenths / 10.0);
  }
}
