package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Invariants;
import java.util.Arrays;

/**
 * Inactive blocks ordered by (size, age of the segment, address) or, as in older releases of
 * PyTorch, by (size, address). Finds the first block of at least a size.
 *
 * <p>Blocks are grouped into bins by size. Up to 1 MiB every multiple of 512 bytes has its own bin;
 * above, each power of two has 32. Two levels of bitmaps show which bins are not empty:
 *
 * <pre>
 *   summary   one bit for a word of occupied
 *   occupied  one bit for a bin
 *   bin       count | key 0, key 1 | key 0, key 1 | ...   in descending order: the best fit is last
 *
 *   key 0     bytes / 512 (32) | registration of the segment (31), 0 when ties go by address
 *   key 1     address / 512 (39) | slot of the block (24)
 * </pre>
 *
 * Both keys are positive, so comparing two longs gives the whole order, and a search reads keys but
 * no block record. Removing the best fit from a bin moves no entry; other removals and insertions
 * move the entries after them. A position is a bin and an index in it.
 */
final class SortedBlocks {
  /** The result of a search that finds no block; see {@link #bestFit}. */
  static final long NOT_FOUND = -1;

  private static final int LOG2_UNIT = 9;
  private static final int LOG2_EXACT_UNITS = 11;
  private static final int EXACT_BINS = (1 << LOG2_EXACT_UNITS) + 1;
  private static final int LOG2_STEPS = 5;
  private static final int REGISTRATION_BITS = 31;
  private static final int SLOT_BITS = 24;

  /** Blocks of 2 TiB and more do not fit in a key. */
  private static final long MAX_UNITS = 1L << 32;

  /** 64 words of 64 bits, so that the summary is one word. */
  private static final int BINS = 1 << 12;

  private static final int FIRST_ENTRIES = 4;
  private static final int BINARY_SEARCH_FROM = 16;

  /** The content of every bin that never held a block; never written. */
  private static final long[] NEVER_USED = {0};

  private final long[][] bins = new long[BINS][];
  private final long[] occupied = new long[BINS >>> 6];
  private long summary;
  private int size;

  SortedBlocks() {
    Arrays.fill(bins, NEVER_USED);
  }

  int size() {
    return size;
  }

  /** Adds a block with its keys. */
  void insert(long key0, long key1) {
    int bin = binOf(units(key0));
    long[] keys = bins[bin];
    int count = (int) keys[0];
    if (keyAt(count) >= keys.length) {
      keys = Arrays.copyOf(keys, keyAt(Math.max(FIRST_ENTRIES, 2 * count)));
      bins[bin] = keys;
    }
    int at = insertionIndex(keys, count, key0, key1);
    if (at < count) {
      System.arraycopy(keys, keyAt(at), keys, keyAt(at + 1), keyAt(count) - keyAt(at));
    }
    keys[keyAt(at)] = key0;
    keys[keyAt(at) + 1] = key1;
    keys[0] = count + 1L;
    if (count == 0) {
      occupied[bin >>> 6] |= 1L << bin;
      summary |= 1L << (bin >>> 6);
    }
    size++;
  }

  /**
   * Removes a block.
   *
   * @return whether it was in the list
   */
  boolean remove(long key0, long key1) {
    int bin = binOf(units(key0));
    long[] keys = bins[bin];
    int at = indexOf(keys, key0, key1);
    if (at < 0) {
      return false;
    }
    remove(bin, keys, at);
    return true;
  }

  /** Removes the block at a position. */
  void removeAt(long position) {
    int bin = binIn(position);
    remove(bin, bins[bin], indexIn(position));
  }

  private void remove(int bin, long[] keys, int at) {
    int rest = (int) keys[0] - 1;
    keys[0] = rest;
    if (at < rest) {
      System.arraycopy(keys, keyAt(at + 1), keys, keyAt(at), keyAt(rest) - keyAt(at));
    }
    if (rest == 0) {
      long word = occupied[bin >>> 6] & ~(1L << bin);
      occupied[bin >>> 6] = word;
      if (word == 0) {
        summary &= ~(1L << (bin >>> 6));
      }
    }
    size--;
  }

  /**
   * The position of the first block of at least this size, or {@link #NOT_FOUND}. Positions are
   * valid until the list changes.
   */
  long bestFit(long bytes) {
    long units = (bytes + (1L << LOG2_UNIT) - 1) >>> LOG2_UNIT;
    if (units >= MAX_UNITS) {
      return NOT_FOUND;
    }
    int lowestBin = binOf(units);
    int bin = occupiedFrom(lowestBin);
    if (bin == lowestBin && bin >= EXACT_BINS) {
      // The bin holds blocks of several sizes, and perhaps none is large enough.
      long[] keys = bins[bin];
      int fitting = insertionIndex(keys, (int) keys[0], units << REGISTRATION_BITS, 0);
      if (fitting > 0) {
        return position(bin, fitting - 1);
      }
      bin = occupiedFrom(bin + 1);
    }
    return lastOf(bin);
  }

  /** The position after this one in the order, or {@link #NOT_FOUND}. */
  long next(long position) {
    return indexIn(position) > 0 ? position - 1 : lastOf(occupiedFrom(binIn(position) + 1));
  }

  /** The position before this one in the order, or {@link #NOT_FOUND}. */
  long previous(long position) {
    int bin = binIn(position);
    int at = indexIn(position) + 1;
    return at < bins[bin][0] ? position(bin, at) : firstOf(occupiedUpTo(bin - 1));
  }

  long first() {
    return lastOf(occupiedFrom(0));
  }

  /** The position of the largest block. */
  long last() {
    return firstOf(occupiedUpTo(BINS - 1));
  }

  int block(long position) {
    return blockIn(bins[binIn(position)], indexIn(position));
  }

  /** Whether the block at a position comes before the one with these keys. */
  boolean isBefore(long position, long key0, long key1) {
    return isSmaller(bins[binIn(position)], indexIn(position), key0, key1);
  }

  /** The position of a block, or {@link #NOT_FOUND}. */
  long positionOf(long key0, long key1) {
    int bin = binOf(units(key0));
    int at = indexOf(bins[bin], key0, key1);
    return at < 0 ? NOT_FOUND : position(bin, at);
  }

  /**
   * The first key of a block.
   *
   * @param registration at most 31 bits; 0 if ties go by address
   */
  static long key0(long bytes, long registration) {
    return (bytes >>> LOG2_UNIT << REGISTRATION_BITS) | registration;
  }

  static long key1(long address, int block) {
    return (address >>> LOG2_UNIT << SLOT_BITS) | block;
  }

  /** The size in a first key. */
  static long bytesOf(long key0) {
    return units(key0) << LOG2_UNIT;
  }

  /** The block in a second key. */
  static int blockOf(long key1) {
    return (int) key1 & ((1 << SLOT_BITS) - 1);
  }

  private static long units(long key0) {
    return key0 >>> REGISTRATION_BITS;
  }

  private static int keyAt(int entry) {
    return 1 + 2 * entry;
  }

  private static int blockIn(long[] keys, int at) {
    return blockOf(keys[keyAt(at) + 1]);
  }

  /** The index of an entry in its bin, or -1. */
  private static int indexOf(long[] keys, long key0, long key1) {
    int at = insertionIndex(keys, (int) keys[0], key0, key1) - 1;
    return at >= 0 && keys[keyAt(at)] == key0 && keys[keyAt(at) + 1] == key1 ? at : -1;
  }

  /** The number of entries of a bin that are not smaller than the key, which is its index. */
  private static int insertionIndex(long[] keys, int count, long key0, long key1) {
    int low = 0;
    int high = count;
    while (high - low > BINARY_SEARCH_FROM) {
      int middle = (low + high) >>> 1;
      if (isSmaller(keys, middle, key0, key1)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    while (high > low && isSmaller(keys, high - 1, key0, key1)) {
      high--;
    }
    return high;
  }

  private static boolean isSmaller(long[] keys, int at, long key0, long key1) {
    long entry = keys[keyAt(at)];
    return entry < key0 || (entry == key0 && keys[keyAt(at) + 1] < key1);
  }

  private static int binOf(long units) {
    if (units < EXACT_BINS) {
      return (int) units;
    }
    int log2 = 63 - Long.numberOfLeadingZeros(units);
    int step = (int) (units >>> (log2 - LOG2_STEPS)) & ((1 << LOG2_STEPS) - 1);
    return EXACT_BINS + ((log2 - LOG2_EXACT_UNITS) << LOG2_STEPS) + step;
  }

  /** The first bin from this one on that is not empty, or -1. */
  private int occupiedFrom(int bin) {
    int word = bin >>> 6;
    if (word >= occupied.length) {
      return -1;
    }
    long bits = occupied[word] & (-1L << bin);
    if (bits == 0) {
      // Shifted twice, because a shift by 64 would shift nothing.
      long words = summary & (-1L << word << 1);
      if (words == 0) {
        return -1;
      }
      word = Long.numberOfTrailingZeros(words);
      bits = occupied[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** The last bin up to this one that is not empty, or -1. */
  private int occupiedUpTo(int bin) {
    for (int word = bin >> 6; word >= 0; word--) {
      long bits = word == bin >> 6 ? occupied[word] & (-1L >>> (63 - (bin & 63))) : occupied[word];
      if (bits != 0) {
        return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
      }
    }
    return -1;
  }

  private long lastOf(int bin) {
    return bin < 0 ? NOT_FOUND : position(bin, (int) bins[bin][0] - 1);
  }

  private static long firstOf(int bin) {
    return bin < 0 ? NOT_FOUND : position(bin, 0);
  }

  private static long position(int bin, int at) {
    return ((long) bin << 32) | at;
  }

  private static int binIn(long position) {
    return (int) (position >>> 32);
  }

  private static int indexIn(long position) {
    return (int) position;
  }

  /** The bitmaps match the bins, and each bin is in order. */
  void checkInvariants() {
    int counted = 0;
    for (int bin = 0; bin < BINS; bin++) {
      long[] keys = bins[bin];
      boolean marked = (occupied[bin >>> 6] & (1L << bin)) != 0;
      boolean summarized = (summary & (1L << (bin >>> 6))) != 0;
      Invariants.require(marked == (keys[0] > 0), "bin bitmap", bin);
      Invariants.require(summarized || !marked, "bin summary", bin);
      for (int at = 0; at < keys[0]; at++) {
        int block = blockIn(keys, at);
        Invariants.require(binOf(units(keys[keyAt(at)])) == bin, "free list bin", block);
        Invariants.require(
            at == 0 || isSmaller(keys, at, keys[keyAt(at - 1)], keys[keyAt(at - 1) + 1]),
            "free list order",
            block);
      }
      counted += (int) keys[0];
    }
    Invariants.require(counted == size, "free list count", size);
  }
}
