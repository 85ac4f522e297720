package dev.vramscope.store.codec;

import dev.vramscope.model.UnguessableHash;
import java.util.Arrays;

/**
 * The distinct addresses of one chunk of events, numbered in the order in which they are met. An
 * allocator hands the same addresses out again and again, so a slot number is far shorter than an
 * address, and what the last event there said foretells the next one. Open addressing, sized for
 * one chunk.
 */
final class AddressSlots {
  private static final int TABLE = 1 << 18; // Four times the rows of a chunk.
  private static final int SHIFT = Long.SIZE - 18;

  private final int[] table = new int[TABLE]; // Slot + 1, 0 when empty.
  private final long[] addresses = new long[EventColumns.ROWS];
  private int count;

  /**
   * The address's slot, or -1 when it is met for the first time; it then has {@code count() - 1}.
   */
  int find(long address) {
    int place = (int) (UnguessableHash.of(address) >>> SHIFT);
    while (table[place] != 0) {
      if (addresses[table[place] - 1] == address) {
        return table[place] - 1;
      }
      place = (place + 1) & (TABLE - 1);
    }
    addresses[count] = address;
    table[place] = ++count;
    return -1;
  }

  int count() {
    return count;
  }

  void clear() {
    Arrays.fill(table, 0);
    count = 0;
  }
}
