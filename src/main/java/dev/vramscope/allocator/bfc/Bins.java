package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Invariants;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The free chunks by size. Bin b holds chunks of at least 256·2^b bytes and less than twice that;
 * the last bin holds all chunks of at least 256 MiB.
 *
 * <p>For a fast best-fit search, each power of two is divided into 16 classes, ordered by size:
 *
 * <pre>
 *   class     16 · (log2 of the size - 8) | the next 4 bits of the size
 *   first     the first chunk of a class; usually the only one, so no list is accessed
 *   restCount the number of further chunks in the class
 *   rest      the further chunks, sorted; null until first needed
 *   occupied  one bit per class, set if it is not empty
 *   summary   one bit per word of occupied, set if the word is not 0
 * </pre>
 */
final class Bins {
  static final int COUNT = 21;

  private static final int LOG2_SMALLEST = 8;
  private static final int LOG2_STEPS = 4;
  private static final int CLASSES = (63 - LOG2_SMALLEST) << LOG2_STEPS;

  private final ChunkTable chunks;
  private final int[] first = new int[CLASSES];
  private final int[] restCount = new int[CLASSES];
  private final @Nullable SortedRuns[] rest = new SortedRuns[CLASSES];
  private final long[] occupied = new long[(CLASSES + 63) >>> 6];
  private long summary;

  Bins(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(first, ChunkTable.NONE);
  }

  /** The bin for a size. */
  static int of(long bytes) {
    int log2 = 63 - Long.numberOfLeadingZeros(bytes | (1L << LOG2_SMALLEST));
    return Math.min(COUNT - 1, log2 - LOG2_SMALLEST);
  }

  /** The smallest size in a bin. */
  static long smallestBytes(int bin) {
    return 1L << (LOG2_SMALLEST + bin);
  }

  private static int classOf(long bytes) {
    long counted = Math.max(bytes, 1L << LOG2_SMALLEST);
    int log2 = 63 - Long.numberOfLeadingZeros(counted);
    int step = (int) (counted >>> (log2 - LOG2_STEPS)) & ((1 << LOG2_STEPS) - 1);
    return ((log2 - LOG2_SMALLEST) << LOG2_STEPS) + step;
  }

  private static int firstClass(int bin) {
    return bin << LOG2_STEPS;
  }

  private static int endClass(int bin) {
    return bin == COUNT - 1 ? CLASSES : firstClass(bin + 1);
  }

  void insert(int slot) {
    int sizeClass = classOf(chunks.bytes(slot));
    if (first[sizeClass] == ChunkTable.NONE) {
      first[sizeClass] = slot;
      occupied[sizeClass >>> 6] |= 1L << sizeClass;
      summary |= 1L << (sizeClass >>> 6);
    } else {
      insertIntoOccupied(slot, sizeClass);
    }
  }

  private void insertIntoOccupied(int slot, int sizeClass) {
    int rest = slot;
    if (isBefore(slot, first[sizeClass])) {
      rest = first[sizeClass];
      first[sizeClass] = slot;
    }
    rest(sizeClass).insert(rest);
    restCount[sizeClass]++;
  }

  private boolean isBefore(int slot, int other) {
    long bytes = chunks.bytes(slot);
    long otherBytes = chunks.bytes(other);
    return bytes < otherBytes
        || (bytes == otherBytes && chunks.address(slot) < chunks.address(other));
  }

  private SortedRuns rest(int sizeClass) {
    SortedRuns sorted = rest[sizeClass];
    if (sorted == null) {
      sorted = new SortedRuns(chunks);
      rest[sizeClass] = sorted;
    }
    return sorted;
  }

  void remove(int slot) {
    int sizeClass = classOf(chunks.bytes(slot));
    if (slot == first[sizeClass]) {
      removeFirst(sizeClass);
    } else {
      rest(sizeClass).remove(slot);
      restCount[sizeClass]--;
    }
  }

  private void removeFirst(int sizeClass) {
    if (restCount[sizeClass] > 0) {
      first[sizeClass] = rest(sizeClass).removeFirst();
      restCount[sizeClass]--;
      return;
    }
    first[sizeClass] = ChunkTable.NONE;
    int word = sizeClass >>> 6;
    occupied[word] &= ~(1L << sizeClass);
    if (occupied[word] == 0) {
      summary &= ~(1L << word);
    }
  }

  /**
   * Removes the best fit: the smallest suitable chunk, and among equal sizes the one with the
   * lowest address.
   *
   * @return the chunk's slot, or {@link ChunkTable#NONE}
   */
  int take(long bytes, long alignment, AllocationAttributes attributes) {
    for (int sizeClass = occupiedFrom(classOf(bytes));
        sizeClass < CLASSES;
        sizeClass = occupiedFrom(sizeClass + 1)) {
      int slot = first[sizeClass];
      if (Splitting.suits(chunks, slot, bytes, alignment, attributes)) {
        removeFirst(sizeClass);
      } else {
        slot = takeFromRest(sizeClass, bytes, alignment, attributes);
      }
      if (slot != ChunkTable.NONE) {
        return slot;
      }
    }
    return ChunkTable.NONE;
  }

  private int takeFromRest(
      int sizeClass, long bytes, long alignment, AllocationAttributes attributes) {
    if (restCount[sizeClass] == 0) {
      return ChunkTable.NONE;
    }
    int slot = rest(sizeClass).take(bytes, alignment, attributes);
    restCount[sizeClass] -= slot == ChunkTable.NONE ? 0 : 1;
    return slot;
  }

  /** The first non-empty class at or after this one, or {@link #CLASSES}. */
  private int occupiedFrom(int sizeClass) {
    int word = sizeClass >>> 6;
    if (word >= occupied.length) {
      return CLASSES;
    }
    long bits = occupied[word] & (-1L << sizeClass);
    if (bits == 0) {
      long words = summary & (-2L << word);
      if (words == 0) {
        return CLASSES;
      }
      word = Long.numberOfTrailingZeros(words);
      bits = occupied[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** The chunks of a bin, by size, then address. */
  int[] slots(int bin) {
    IntStream slots = IntStream.empty();
    for (int i = occupiedFrom(firstClass(bin)); i < endClass(bin); i = occupiedFrom(i + 1)) {
      slots = IntStream.concat(slots, slotsOfClass(i));
    }
    return slots.toArray();
  }

  private IntStream slotsOfClass(int sizeClass) {
    IntStream later =
        restCount[sizeClass] == 0 ? IntStream.empty() : Arrays.stream(rest(sizeClass).slots());
    return IntStream.concat(IntStream.of(first[sizeClass]), later);
  }

  /** The size of the largest free chunk in any bin, or 0. */
  long largestBytes() {
    if (summary == 0) {
      return 0;
    }
    int word = 63 - Long.numberOfLeadingZeros(summary);
    int last = (word << 6) + 63 - Long.numberOfLeadingZeros(occupied[word]);
    return chunks.bytes(restCount[last] == 0 ? first[last] : rest(last).last());
  }

  /** The size of the largest binned free chunk with this tag, or 0. */
  long largestBytes(int tag) {
    long largest = 0;
    for (int i = occupiedFrom(0); i < CLASSES; i = occupiedFrom(i + 1)) {
      int slot = restCount[i] == 0 ? ChunkTable.NONE : rest(i).last(tag);
      if (slot == ChunkTable.NONE && chunks.tag(first[i]) == tag) {
        slot = first[i];
      }
      largest = slot == ChunkTable.NONE ? largest : chunks.bytes(slot);
    }
    return largest;
  }

  /** Checks the bins; returns the number of chunks in them. */
  int checkInvariants() {
    int count = 0;
    for (int sizeClass = 0; sizeClass < CLASSES; sizeClass++) {
      boolean marked = (occupied[sizeClass >>> 6] & (1L << sizeClass)) != 0;
      Invariants.require(
          (first[sizeClass] != ChunkTable.NONE) == marked, "occupied bit", sizeClass);
      boolean summarized = (summary & (1L << (sizeClass >>> 6))) != 0;
      Invariants.require(summarized || !marked, "summary bit", sizeClass);
      checkRest(sizeClass);
      if (marked) {
        int[] slots = slotsOfClass(sizeClass).toArray();
        for (int slot : slots) {
          Invariants.require(classOf(chunks.bytes(slot)) == sizeClass, "size class", slot);
          Invariants.require(chunks.isBinned(slot), "free chunk in a bin", slot);
        }
        count += slots.length;
      }
    }
    return count;
  }

  private void checkRest(int sizeClass) {
    SortedRuns sorted = rest[sizeClass];
    int[] slots = sorted == null ? new int[0] : sorted.slots();
    Invariants.require(slots.length == restCount[sizeClass], "rest count", sizeClass);
    if (sorted != null) {
      sorted.checkInvariants();
    }
    if (slots.length > 0) {
      Invariants.require(
          isBefore(first[sizeClass], slots[0]), "first chunk of its class", sizeClass);
    }
  }
}
