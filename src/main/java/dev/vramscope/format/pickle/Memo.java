package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
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

  private final PickleErrors errors;
  private final int maxSize;
  private final LongColumn.Builder spilled = new LongColumn.Builder();
  private int[][] chunks = new int[4][];
  private int size;

  Memo(ReadLimits limits, PickleErrors errors) {
    this.errors = errors;
    this.maxSize = limits.encoding().maxMemo();
  }

  /** The value that was stored with a number. */
  long get(int number) throws FormatException {
    if (number < 0 || number >= size) {
      throw errors.unknownMemoEntry(number);
    }
    int slot = chunks[number >> SHIFT][number & MASK];
    long cell =
        Cell.tag(slot) == Cell.SPILLED ? spilled.get(slot >>> Cell.TAG_BITS) : slot & SLOT_MASK;
    if (cell == Cell.ABSENT) {
      throw errors.unknownMemoEntry(number);
    }
    return cell;
  }

  /** Rejects a further entry above the limit. */
  void requireRoom() throws FormatException {
    if (size >= maxSize) {
      throw errors.tooLarge("the pickle's memo has more than " + maxSize + " entries");
    }
  }

  /**
   * Rejects a number that no pickler writes. Numbers may have gaps, but none exceeds its byte
   * offset: every entry takes at least one byte.
   */
  void requireValidNumber(int number, long offset) throws FormatException {
    if (number < 0 || number > offset || number >= maxSize) {
      throw errors.malformed(
          "memo entry "
              + Integer.toUnsignedString(number)
              + " is stored, but the limit is "
              + Math.min(offset, maxSize));
    }
  }

  /** Stores a value with the next number. */
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

  /** Stores a value with a valid number; returns whether it replaces another one. */
  boolean put(int number, long cell) {
    while (size <= number) {
      add(Cell.ABSENT);
    }
    int[] chunk = chunks[number >> SHIFT];
    boolean replaces = chunk[number & MASK] != (int) Cell.ABSENT;
    chunk[number & MASK] = slot(cell);
    return replaces;
  }

  private int slot(long cell) {
    if ((cell & ~SLOT_MASK) == 0) {
      return (int) cell;
    }
    spilled.add(cell);
    return (spilled.size() - 1) << Cell.TAG_BITS | Cell.SPILLED;
  }
}
