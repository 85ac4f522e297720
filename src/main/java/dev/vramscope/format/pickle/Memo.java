package dev.vramscope.format.pickle;

import dev.vramscope.model.LongColumn;
import java.util.Arrays;

/**
 * The memo of a pickle: values by number. Dense, because every pickler numbers them consecutively.
 *
 * <pre>
 *   number = chunk &lt;&lt; 16 | slot      chunks[chunk][slot] = the cell, if it fits into 32 bits
 *                                                        = tagged index in spilled, otherwise
 * </pre>
 */
final class Memo {
  private static final int SHIFT = 16;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;
  private static final long SLOT_MASK = 0xFFFF_FFFFL;

  private final LongColumn.Builder spilled = new LongColumn.Builder();
  private int[][] chunks = new int[4][];
  private int size;

  int size() {
    return size;
  }

  /** The value of a number below {@link #size}. */
  long get(int number) {
    int slot = chunks[number >> SHIFT][number & MASK];
    return Cell.tag(slot) == Cell.SPILLED ? spilled.get(slot >>> Cell.TAG_BITS) : slot & SLOT_MASK;
  }

  void add(long cell) {
    int chunk = size >> SHIFT;
    if ((size & MASK) == 0) {
      if (chunk == chunks.length) {
        chunks = Arrays.copyOf(chunks, chunk * 2);
      }
      chunks[chunk] = new int[CHUNK];
    }
    chunks[chunk][size++ & MASK] = slot(cell);
  }

  /** Replaces the value of a number below {@link #size}. */
  void set(int number, long cell) {
    chunks[number >> SHIFT][number & MASK] = slot(cell);
  }

  private int slot(long cell) {
    if ((cell & ~SLOT_MASK) == 0) {
      return (int) cell;
    }
    spilled.add(cell);
    return (spilled.size() - 1) << Cell.TAG_BITS | Cell.SPILLED;
  }
}
