package dev.vramscope.analysis.lifetimes;

import java.util.ArrayList;
import java.util.List;

/**
 * A series, and the minimum and the maximum of every 16, 256, 4096, … values of it:
 *
 * <pre>
 *   level 2   [  max of 256  |  …                         one array of minima, one of maxima
 *   level 1   [ 16 | 16 | 16 | 16 | …
 *   level 0   [ the series itself
 * </pre>
 *
 * A query takes about 30 steps per level. The series is not copied.
 */
final class RangeExtremes {
  private static final int SHIFT = 4;
  private static final int FAN_OUT = 1 << SHIFT;

  private final int size;
  private final List<long[]> minima = new ArrayList<>();
  private final List<long[]> maxima = new ArrayList<>();

  RangeExtremes(long[] series) {
    size = series.length;
    minima.add(series);
    maxima.add(series);
    for (int length = size; length > FAN_OUT; length = minima.getLast().length) {
      addLevel(length);
    }
  }

  private void addLevel(int length) {
    long[] lows = minima.getLast();
    long[] highs = maxima.getLast();
    int count = (length + FAN_OUT - 1) >> SHIFT;
    long[] low = new long[count];
    long[] high = new long[count];
    for (int i = 0; i < count; i++) {
      int to = Math.min(length, (i + 1) << SHIFT);
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (int j = i << SHIFT; j < to; j++) {
        min = Math.min(min, lows[j]);
        max = Math.max(max, highs[j]);
      }
      low[i] = min;
      high[i] = max;
    }
    minima.add(low);
    maxima.add(high);
  }

  int size() {
    return size;
  }

  long get(int index) {
    return minima.getFirst()[index];
  }

  /** The maximum in [from, to), which must not be empty. */
  long max(int from, int to) {
    int low = from;
    int high = to;
    long best = Long.MIN_VALUE;
    for (int level = 0; ; level++) {
      long[] values = maxima.get(level);
      if (high - low < 2 * FAN_OUT) {
        while (low < high) {
          best = Math.max(best, values[low++]);
        }
        return best;
      }
      while ((low & (FAN_OUT - 1)) != 0) {
        best = Math.max(best, values[low++]);
      }
      while ((high & (FAN_OUT - 1)) != 0) {
        best = Math.max(best, values[--high]);
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
  }

  /** The minimum in [from, to), which must not be empty. */
  long min(int from, int to) {
    int low = from;
    int high = to;
    long best = Long.MAX_VALUE;
    for (int level = 0; ; level++) {
      long[] values = minima.get(level);
      if (high - low < 2 * FAN_OUT) {
        while (low < high) {
          best = Math.min(best, values[low++]);
        }
        return best;
      }
      while ((low & (FAN_OUT - 1)) != 0) {
        best = Math.min(best, values[low++]);
      }
      while ((high & (FAN_OUT - 1)) != 0) {
        best = Math.min(best, values[--high]);
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
  }

  /** The first index in [from, to) of the maximum there. */
  int firstMax(int from, int to) {
    long maximum = max(from, to);
    int index = from;
    while (true) {
      // Skip the widest group that starts here and does not contain the maximum.
      int level = 0;
      while (isGroupBelow(maximum, index, level + 1)) {
        level++;
      }
      if (level == 0 && get(index) == maximum) {
        return index;
      }
      index += 1 << (SHIFT * level);
    }
  }

  private boolean isGroupBelow(long maximum, int index, int level) {
    if (level >= maxima.size()) {
      return false;
    }
    int shift = SHIFT * level;
    return (index & ((1 << shift) - 1)) == 0 && maxima.get(level)[index >> shift] < maximum;
  }
}
