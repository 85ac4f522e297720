package dev.vramscope.store.codec;

import dev.vramscope.model.SeededHash;
import java.util.Arrays;

/**
 * Numbers the distinct addresses of one chunk of events in the order of their first occurrence. An
 * allocator reuses the same addresses many times, so a slot number is far shorter than an address,
 * and the previous event at an address predicts the next one. Open addressing, sized for one chunk.
 */
final class AddressSlots {
  private static final int TABLE = 1 << 18; // Four times the rows of a chunk.
  private static final int SHIFT = Long.SIZE - 18;

  private final int[] table = new int[TABLE]; // Slot + 1, 0 when empty.
  private final long[] addresses = new long[EventColumns.ROWS];
  private int count;

  /** The slot of an address, or -1 if the address is new; its slot is then {@code count() - 1}. */
  int find(long address) {
    int index = (int) (SeededHash.of(address) >>> SHIFT);
    while (table[index] != 0) {
      if (addresses[table[index] - 1] == address) {
        return table[index] - 1;
      }
      index = (index + 1) & (TABLE - 1);
    }
    addresses[count] = address;
    table[index] = ++count;
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
