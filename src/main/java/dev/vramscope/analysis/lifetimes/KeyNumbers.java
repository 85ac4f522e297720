package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.SeededHash;

/** Numbers keys in the order of their first use; open addressing, at most half full. */
public final class KeyNumbers {
  private final long[] keys;
  private final int[] numbers;
  private int count;

  /** For at most {@code most} different keys. */
  public KeyNumbers(int most) {
    int length = Integer.highestOneBit(Math.max(8, most)) * 4;
    keys = new long[length];
    numbers = new int[length];
  }

  public int number(long key) {
    int mask = keys.length - 1;
    int slot = (int) (SeededHash.of(key) >>> 32) & mask;
    while (numbers[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    if (numbers[slot] == 0) {
      keys[slot] = key;
      numbers[slot] = ++count;
    }
    return numbers[slot] - 1;
  }

  /** Different keys so far. */
  public int count() {
    return count;
  }
}
