package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.SeededHash;

/**
 * A hash table from addresses to non-zero numbers, with open addressing:
 *
 * <pre>
 *   slot      0     1     2     3     …            a power of two, at most half full
 *   keys    [ a7  | –   | a1  | a9  | …            address
 *   values  [  5  | 0   | -3  |  9  | …            0 = empty slot
 * </pre>
 *
 * Entries are never removed. Not thread-safe.
 */
public final class AddressTable {
  private long[] keys;
  private int[] values;
  private int count;
  // 64 minus the base-2 logarithm of the number of slots.
  private int shift;

  public AddressTable(int expected) {
    int slots = Integer.highestOneBit(Math.clamp(expected, 8, 1 << 28)) * 4;
    keys = new long[slots];
    values = new int[slots];
    shift = Long.numberOfLeadingZeros(slots) + 1;
  }

  /** Returns the value of an address, or 0 if it has none. */
  public int get(long address) {
    int mask = keys.length - 1;
    for (int slot = slot(address); ; slot = (slot + 1) & mask) {
      int value = values[slot];
      if (value == 0 || keys[slot] == address) {
        return value;
      }
    }
  }

  /** Sets the value of an address and returns the previous one, or 0 if there was none. */
  public int put(long address, int value) {
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

  /** The number of slots that a lookup of this address reads; 1 if nothing collides with it. */
  int probeCount(long address) {
    int mask = keys.length - 1;
    int probes = 1;
    for (int slot = slot(address); values[slot] != 0 && keys[slot] != address; ) {
      slot = (slot + 1) & mask;
      probes++;
    }
    return probes;
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
