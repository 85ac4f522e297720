package dev.vramscope.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * A series, and the least and the greatest of every 16, 256, 4096, … values of it:
 *
 * <pre>
 *   level 2   [  max of 256  |  …                         one array for the least, one for the greatest
 *   level 1   [ 16 | 16 | 16 | 16 | …
 *   level 0   [ the series itself
 * </pre>
 *
 * A query takes about 30 steps per level. The series is not copied.
 */
final class Extremes {
  private static final int SHIFT = 4;
  private static final int FAN = 1 << SHIFT;

  private final int size;
  private final List<long[]> least = new ArrayList<>();
  private final List<long[]> greatest = new ArrayList<>();

  Extremes(long[] series) {
    size = series.length;
    least.add(series);
    greatest.add(series);
    for (int length = size; length > FAN; length = least.getLast().length) {
      addLevel(length);
    }
  }

  private void addLevel(int length) {
    long[] lows = least.getLast();
    long[] highs = greatest.getLast();
    int count = (length + FAN - 1) >> SHIFT;
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
    least.add(low);
    greatest.add(high);
  }

  int size() {
    return size;
  }

  long get(int index) {
    return least.getFirst()[index];
  }

  /** The greatest value in [from, to), which must not be empty. */
  long max(int from, int to) {
    int low = from;
    int high = to;
    long best = Long.MIN_VALUE;
    for (int level = 0; ; level++) {
      long[] values = greatest.get(level);
      if (high - low < 2 * FAN) {
        while (low < high) {
          best = Math.max(best, values[low++]);
        }
        return best;
      }
      while ((low & (FAN - 1)) != 0) {
        best = Math.max(best, values[low++]);
      }
      while ((high & (FAN - 1)) != 0) {
        best = Math.max(best, values[--high]);
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
  }

  /** The least value in [from, to), which must not be empty. */
  long min(int from, int to) {
    int low = from;
    int high = to;
    long best = Long.MAX_VALUE;
    for (int level = 0; ; level++) {
      long[] values = least.get(level);
      if (high - low < 2 * FAN) {
        while (low < high) {
          best = Math.min(best, values[low++]);
        }
        return best;
      }
      while ((low & (FAN - 1)) != 0) {
        best = Math.min(best, values[low++]);
      }
      while ((high & (FAN - 1)) != 0) {
        best = Math.min(best, values[--high]);
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
  }

  /** The first index in [from, to) of the greatest value there. */
  int firstMax(int from, int to) {
    long greatestValue = max(from, to);
    int index = from;
    while (true) {
      // Skip the widest group that starts here and does not contain the greatest value.
      int level = 0;
      while (isGroupBelow(greatestValue, index, level + 1)) {
        level++;
      }
      if (level == 0 && get(index) == greatestValue) {
        return index;
      }
      index += 1 << (SHIFT * level);
    }
  }

  private boolean isGroupBelow(long greatestValue, int index, int level) {
    if (level >= greatest.size()) {
      return false;
    }
    int shift = SHIFT * level;
    return (index & ((1 << shift) - 1)) == 0 && greatest.get(level)[index >> shift] < greatestValue;
  }
}
