package dev.vramscope.allocator.caching;

import java.util.Arrays;

/**
 * The inactive blocks of one pool and stream, ordered by (size, age of the segment, address) or, as
 * older releases did, by (size, address). Finds the first block of at least a size.
 *
 * <p>Blocks lie in bins by size. Up to 2 MiB every multiple of 512 bytes has its own bin; above,
 * each power of two has 64. Two levels of bitmaps say which bins are not empty:
 *
 * <pre>
 *   summary   one bit for 64 words of occupied
 *   occupied  one bit for a bin
 *   bins      keys, two longs an entry, in falling order: the best fit of a bin stands last
 *
 *   key 0     bytes / 512 (32) | registration of the segment (31), 0 when ties go by address
 *   key 1     address / 512 (39) | slot of the block (24)
 * </pre>
 *
 * Both keys are positive. So one comparison of two longs is the whole order, and no block record is
 * read while searching: the list knows keys only. Taking the best fit out of a bin moves nothing;
 * other removals and insertions move what stands behind them.
 */
final class FreeList {
  /** What a search gives when there is nothing; see {@link #seek}. */
  static final long NOWHERE = -1;

  private static final int LOG2_UNIT = 9;
  private static final int LOG2_EXACT_UNITS = 12;
  private static final int EXACT_BINS = (1 << LOG2_EXACT_UNITS) + 1;
  private static final int LOG2_STEPS = 6;
  private static final int REGISTRATION_BITS = 31;
  private static final int SLOT_BITS = 24;

  /** Blocks of 2 TiB and more do not fit in a key. */
  private static final long MAX_UNITS = 1L << 32;

  private static final int BINS = binOf(MAX_UNITS - 1) + 1;
  private static final int BINARY_SEARCH_FROM = 16;
  private static final long[] NOTHING = {};

  private final long[][] bins = new long[BINS][];
  private final int[] counts = new int[BINS];
  private final long[] occupied = new long[(BINS + 63) >>> 6];
  private final long[] summary = new long[(occupied.length + 63) >>> 6];
  private int size;

  FreeList() {
    Arrays.fill(bins, NOTHING);
  }

  int size() {
    return size;
  }

  /** Adds a block with its keys. */
  void insert(long key0, long key1) {
    int bin = binOf(units(key0));
    int count = counts[bin];
    long[] keys = bins[bin];
    if (2 * count == keys.length) {
      keys = Arrays.copyOf(keys, Math.max(8, 2 * keys.length));
      bins[bin] = keys;
    }
    int at = positionOf(keys, count, key0, key1);
    if (at < count) {
      System.arraycopy(keys, 2 * at, keys, 2 * at + 2, 2 * (count - at));
    }
    keys[2 * at] = key0;
    keys[2 * at + 1] = key1;
    if (count == 0) {
      occupied[bin >>> 6] |= 1L << bin;
      summary[bin >>> 12] |= 1L << (bin >>> 6);
    }
    counts[bin] = count + 1;
    size++;
  }

  /**
   * Takes a block out.
   *
   * @return whether it was there
   */
  boolean remove(long key0, long key1) {
    long place = placeOf(key0, key1);
    if (place == NOWHERE) {
      return false;
    }
    removeAt(place);
    return true;
  }

  private void removeAt(int bin, int at) {
    long[] keys = bins[bin];
    int rest = --counts[bin];
    if (at < rest) {
      System.arraycopy(keys, 2 * at + 2, keys, 2 * at, 2 * (rest - at));
    }
    if (rest == 0) {
      int word = bin >>> 6;
      occupied[word] &= ~(1L << bin);
      if (occupied[word] == 0) {
        summary[word >>> 6] &= ~(1L << word);
      }
    }
    size--;
  }

  /**
   * The place of the first block of at least this size, or {@link #NOWHERE}. A place is good until
   * the list changes.
   */
  long seek(long bytes) {
    long units = (bytes + (1L << LOG2_UNIT) - 1) >>> LOG2_UNIT;
    if (units >= MAX_UNITS) {
      return NOWHERE;
    }
    int bin = binOf(units);
    long[] keys = bins[bin];
    long least = units << REGISTRATION_BITS;
    for (int at = counts[bin] - 1; at >= 0; at--) {
      if (keys[2 * at] >= least) {
        return place(bin, at);
      }
    }
    return lastOf(occupiedFrom(bin + 1));
  }

  /** The place after this one in the order, or {@link #NOWHERE}. */
  long next(long place) {
    int at = positionIn(place);
    return at > 0 ? place - 1 : lastOf(occupiedFrom(binIn(place) + 1));
  }

  /** The place before this one in the order, or {@link #NOWHERE}. */
  long previous(long place) {
    int bin = binIn(place);
    int at = positionIn(place) + 1;
    return at < counts[bin] ? place(bin, at) : firstOf(occupiedUpTo(bin - 1));
  }

  long first() {
    return lastOf(occupiedFrom(0));
  }

  /** The place of the largest block. */
  long last() {
    return firstOf(occupiedUpTo(BINS - 1));
  }

  int block(long place) {
    return blockIn(bins[binIn(place)], positionIn(place));
  }

  void removeAt(long place) {
    removeAt(binIn(place), positionIn(place));
  }

  /** Where a block stands, or {@link #NOWHERE}. */
  long placeOf(long key0, long key1) {
    int bin = binOf(units(key0));
    long[] keys = bins[bin];
    int at = positionOf(keys, counts[bin], key0, key1) - 1;
    return at >= 0 && keys[2 * at] == key0 && keys[2 * at + 1] == key1 ? place(bin, at) : NOWHERE;
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

  private static long units(long key0) {
    return key0 >>> REGISTRATION_BITS;
  }

  private static int blockIn(long[] keys, int at) {
    return (int) keys[2 * at + 1] & ((1 << SLOT_BITS) - 1);
  }

  /** How many entries of a bin are not smaller than the key: where it is to be inserted. */
  private static int positionOf(long[] keys, int count, long key0, long key1) {
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
    long entry = keys[2 * at];
    return entry < key0 || (entry == key0 && keys[2 * at + 1] < key1);
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
      word = wordFrom(word + 1);
      if (word < 0) {
        return -1;
      }
      bits = occupied[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private int wordFrom(int word) {
    for (int i = word >>> 6; i < summary.length; i++) {
      long bits = i == word >>> 6 ? summary[i] & (-1L << word) : summary[i];
      if (bits != 0) {
        return (i << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
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
    return bin < 0 ? NOWHERE : place(bin, counts[bin] - 1);
  }

  private static long firstOf(int bin) {
    return bin < 0 ? NOWHERE : place(bin, 0);
  }

  private static long place(int bin, int at) {
    return ((long) bin << 32) | at;
  }

  private static int binIn(long place) {
    return (int) (place >>> 32);
  }

  private static int positionIn(long place) {
    return (int) place;
  }

  /** The bitmaps tell which bins are empty, and each bin is in order. */
  void checkInvariants() {
    int counted = 0;
    for (int bin = 0; bin < BINS; bin++) {
      boolean marked = (occupied[bin >>> 6] & (1L << bin)) != 0;
      boolean summarized = (summary[bin >>> 12] & (1L << (bin >>> 6))) != 0;
      Laws.require(marked == (counts[bin] > 0), "bin bitmap", bin);
      Laws.require(summarized || !marked, "bin summary", bin);
      for (int at = 0; at < counts[bin]; at++) {
        int block = blockIn(bins[bin], at);
        Laws.require(binOf(units(bins[bin][2 * at])) == bin, "free list bin", block);
        Laws.require(
            at == 0 || isSmaller(bins[bin], at, bins[bin][2 * at - 2], bins[bin][2 * at - 1]),
            "free list order",
            block);
      }
      counted += counts[bin];
    }
    Laws.require(counted == size, "free list count", size);
  }
}
