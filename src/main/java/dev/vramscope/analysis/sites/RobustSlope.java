package dev.vramscope.analysis.sites;

import java.util.Arrays;

/**
 * The growth of a series by Theil and Sen: the median slope of all pairs of its values, which
 * outliers do not move.
 *
 * @param bytesPerStep the median slope
 * @param agreement pairs that grow minus pairs that shrink, as a share of all pairs (Kendall's
 *     tau): 1 if the series only grows, 0 if it does not, -1 if it only shrinks
 * @param valueCount number of values
 */
public record RobustSlope(double bytesPerStep, double agreement, int valueCount) {
  /** Pairs grow with the square of the values, so long series are sampled. */
  private static final int MAX_VALUES = 120;

  /** The quantile of the normal distribution, which tau soon approaches. */
  private static final double ONE_IN_A_HUNDRED = 2.33;

  /** The slope of a series of bytes, one value for each step. */
  public static RobustSlope of(long[] values) {
    long[] steps = new long[values.length];
    Arrays.setAll(steps, each -> each);
    return of(steps, values);
  }

  /**
   * The slope of a series of bytes.
   *
   * @param steps of the values, ascending
   */
  public static RobustSlope of(long[] steps, long[] values) {
    int count = Math.min(values.length, MAX_VALUES);
    if (count < 2) {
      return new RobustSlope(0, 0, values.length);
    }
    double[] slopes = new double[count * (count - 1) / 2];
    int next = 0;
    int sign = 0;
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        int from = index(i, count, values.length);
        int to = index(j, count, values.length);
        long grown = values[to] - values[from];
        sign += Long.signum(grown);
        slopes[next++] = (double) grown / (steps[to] - steps[from]);
      }
    }
    Arrays.sort(slopes);
    return new RobustSlope(slopes[slopes.length / 2], (double) sign / slopes.length, values.length);
  }

  /** The position of a sample; the last one is the last value. */
  private static int index(int sample, int count, int length) {
    return (int) ((long) sample * (length - 1) / (count - 1));
  }

  /**
   * Whether so many values rarely agree by chance: a series in random order has at least this tau
   * in one of a hundred cases.
   */
  public boolean isSignificant() {
    int count = Math.min(valueCount, MAX_VALUES);
    double deviation = Math.sqrt(2 * (2 * count + 5) / (9.0 * count * (count - 1)));
    return count >= 2 && agreement >= ONE_IN_A_HUNDRED * deviation;
  }

  /** Growth from the first value to the last by this slope; 0 if it shrinks. */
  public long grownBytes() {
    return Math.max(0, Math.round(bytesPerStep * (valueCount - 1)));
  }
}
