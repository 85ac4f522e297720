package dev.vramscope.allocator.caching.blocks;

import java.util.Arrays;

/**
 * A sorted array of the two keys of each block, in descending order; see {@link SortedBlocks}.
 *
 * <pre>
 *   count | key 0, key 1 | key 0, key 1 | ...
 * </pre>
 *
 * The high half of the first word is the owner's.
 */
final class KeyRun {
  /** A change moves the keys of at most this many blocks, which are 4 KiB. */
  static final int MAX_ENTRIES = 256;

  /** A run without entries; never written. */
  static final long[] EMPTY = {0};

  private static final int FIRST_ENTRIES = 4;
  private static final int BINARY_SEARCH_FROM = 16;

  private KeyRun() {}

  static int count(long[] run) {
    return (int) run[0];
  }

  private static int keyAt(int entry) {
    return 1 + 2 * entry;
  }

  static long key0(long[] run, int at) {
    return run[keyAt(at)];
  }

  static long key1(long[] run, int at) {
    return run[keyAt(at) + 1];
  }

  /** The index of an entry, or -1. */
  static int indexOf(long[] run, long key0, long key1) {
    int at = insertionIndex(run, count(run), key0, key1) - 1;
    return at >= 0 && run[keyAt(at)] == key0 && run[keyAt(at) + 1] == key1 ? at : -1;
  }

  /** The number of entries that are not smaller than the key, which is its index. */
  static int insertionIndex(long[] run, long key0, long key1) {
    return insertionIndex(run, count(run), key0, key1);
  }

  private static int insertionIndex(long[] run, int count, long key0, long key1) {
    int low = 0;
    int high = count;
    while (high - low > BINARY_SEARCH_FROM) {
      int middle = (low + high) >>> 1;
      if (isSmaller(run, middle, key0, key1)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    while (high > low && isSmaller(run, high - 1, key0, key1)) {
      high--;
    }
    return high;
  }

  /** Whether an entry is smaller than the key. */
  static boolean isSmaller(long[] run, int at, long key0, long key1) {
    long entry = run[keyAt(at)];
    return entry < key0 || (entry == key0 && run[keyAt(at) + 1] < key1);
  }

  /**
   * Adds an entry.
   *
   * @return the run, or a longer copy
   */
  static long[] insert(long[] run, long key0, long key1) {
    int count = count(run);
    long[] keys = run;
    if (keyAt(count) >= keys.length) {
      keys = Arrays.copyOf(keys, keyAt(Math.max(FIRST_ENTRIES, 2 * count)));
    }
    int at = insertionIndex(keys, count, key0, key1);
    if (at < count) {
      System.arraycopy(keys, keyAt(at), keys, keyAt(at + 1), keyAt(count) - keyAt(at));
    }
    keys[keyAt(at)] = key0;
    keys[keyAt(at) + 1] = key1;
    keys[0]++;
    return keys;
  }

  static void remove(long[] run, int at) {
    int rest = count(run) - 1;
    run[0]--;
    if (at < rest) {
      System.arraycopy(run, keyAt(at + 1), run, keyAt(at), keyAt(rest) - keyAt(at));
    }
  }

  /** Moves the larger half of a run into a new one. */
  static long[] splitLarger(long[] run) {
    int count = count(run);
    int moved = count / 2;
    long[] larger = new long[keyAt(MAX_ENTRIES)];
    System.arraycopy(run, keyAt(0), larger, keyAt(0), 2 * moved);
    System.arraycopy(run, keyAt(moved), run, keyAt(0), 2 * (count - moved));
    larger[0] = moved;
    run[0] -= moved;
    return larger;
  }
}
