package dev.vramscope.analysis;

import dev.vramscope.model.SeededHash;

/**
 * From an address to a number other than 0, by open addressing:
 *
 * <pre>
 *   slot      0     1     2     3     …            a power of two, at most half full
 *   keys    [ a7  | –   | a1  | a9  | …            address
 *   values  [  5  | 0   | -3  |  9  | …            0 = empty slot
 * </pre>
 *
 * Nothing is removed. Not thread-safe.
 */
final class AddressTable {
  private long[] keys;
  private int[] values;
  private int count;
  // 64 less the slots' bits.
  private int shift;

  AddressTable(int expected) {
    int slots = Integer.highestOneBit(Math.clamp(expected, 8, 1 << 28)) * 4;
    keys = new long[slots];
    values = new int[slots];
    shift = Long.numberOfLeadingZeros(slots) + 1;
  }

  /** The value of an address, 0 when it has none. */
  int get(long address) {
    int mask = keys.length - 1;
    for (int slot = slot(address); ; slot = (slot + 1) & mask) {
      int value = values[slot];
      if (value == 0 || keys[slot] == address) {
        return value;
      }
    }
  }

  /** Gives an address a value and returns the one it had, 0 when none. */
  int put(long address, int value) {
    int mask = keys.length - 1;
    for (int slot = slot(address); ; slot = (slot + 1) & mask) {
      int old = values[slot];
      if (old == 0) {
        keys[slot] = address;
        values[slot] = value;
        if (++count * 2 > keys.length) {
          grow();
        }
        return 0;
      }
      if (keys[slot] == address) {
        values[slot] = value;
        return old;
      }
    }
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldKeys.length * 2];
    shift--;
    int mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldKeys[i]);
        while (values[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  private int slot(long address) {
    return (int) (SeededHash.of(address) >>> shift);
  }
}
