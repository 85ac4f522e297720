package dev.vramscope.allocator.caching.blocks;

import java.util.Arrays;

/**
 * The entries of a bin of {@link SortedBlocks} that do not fit in its first run, all of them larger
 * than those. A recording may have a million free blocks of one size, so that moving all entries
 * behind an inserted one would take a minute.
 *
 * <pre>
 *   runs    [ largest ] [ ... ] [ smallest ]     each a {@link KeyRun} that is not empty
 *   number     count      ...        1
 * </pre>
 */
final class LargerRuns {
  private long[][] runs = new long[4][];
  private int count;

  /** The number of runs, which is that of the run with the largest entries. */
  int count() {
    return count;
  }

  /** A run by its number, from 1 for the smallest entries. */
  long[] run(int number) {
    return runs[count - number];
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether the smallest entry is below the key. */
  boolean reachesBelow(long key0, long key1) {
    long[] smallest = runs[count - 1];
    return KeyRun.isSmaller(smallest, KeyRun.count(smallest) - 1, key0, key1);
  }

  void addSmallest(long[] run) {
    add(count, run);
  }

  long[] removeSmallest() {
    return runs[--count];
  }

  private void add(int index, long[] run) {
    if (count == runs.length) {
      runs = Arrays.copyOf(runs, 2 * count);
    }
    System.arraycopy(runs, index, runs, index + 1, count - index);
    runs[index] = run;
    count++;
  }

  /** The number of the run with the smallest entry that is not smaller than the key, or 0. */
  int runFrom(long key0, long key1) {
    int index = indexFrom(key0, key1);
    return index < 0 ? 0 : count - index;
  }

  private int indexFrom(long key0, long key1) {
    // The runs whose largest entry is not smaller than the key are the first ones.
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (KeyRun.isSmaller(runs[middle], 0, key0, key1)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - 1;
  }

  void insert(long key0, long key1) {
    int index = Math.max(0, indexFrom(key0, key1));
    long[] run = runs[index];
    if (KeyRun.count(run) == KeyRun.MAX_ENTRIES) {
      long[] larger = KeyRun.splitLarger(run);
      add(index, larger);
      index += KeyRun.isSmaller(larger, KeyRun.count(larger) - 1, key0, key1) ? 0 : 1;
    }
    runs[index] = KeyRun.insert(runs[index], key0, key1);
  }

  void removeAt(int number, int at) {
    int index = count - number;
    KeyRun.remove(runs[index], at);
    if (KeyRun.count(runs[index]) == 0) {
      System.arraycopy(runs, index + 1, runs, index, count - index - 1);
      count--;
    }
  }
}
