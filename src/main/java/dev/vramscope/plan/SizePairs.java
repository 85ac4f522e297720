package dev.vramscope.plan;

import java.util.List;

/** Whether two sizes may belong to the same allocation at two values of the parameters. */
final class SizePairs {
  private static final double EXACT = 1e-9;

  /** Sizes that change by less than this, and small ones, say nothing. */
  private static final double SLACK = 1.05;

  private static final long SMALL_BYTES = 8 << 10;

  private final double[] ratios;
  private final double least;
  private final double most;

  SizePairs(List<String> names, ParameterValues first, ParameterValues second) {
    double[] from = first.inOrder(names);
    double[] to = second.inOrder(names);
    ratios =
        Monomial.of(names.size()).stream()
            .mapToDouble(monomial -> monomial.at(to) / monomial.at(from))
            .toArray();
    double low = 1;
    double high = 1;
    for (double ratio : ratios) {
      low = Math.min(low, ratio);
      high = Math.max(high, ratio);
    }
    least = low / SLACK;
    most = high * SLACK;
  }

  /** Whether the sizes are equal or in the ratio of a product of parameters. */
  boolean areExact(long first, long second) {
    if (first == second) {
      return true;
    }
    double ratio = (double) second / first;
    for (double expected : ratios) {
      if (Math.abs(ratio - expected) <= EXACT * expected) {
        return true;
      }
    }
    return false;
  }

  /** Whether the sizes grow no faster than the fastest such product. */
  boolean arePossible(long first, long second) {
    if (Math.max(first, second) <= SMALL_BYTES) {
      return true;
    }
    double ratio = (double) second / first;
    return ratio >= least && ratio <= most;
  }
}
