package dev.vramscope.allocator.caching.blocks;

import dev.vramscope.allocator.Invariants;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Inactive blocks ordered by (size, age of the segment, address) or, as in older releases of
 * PyTorch, by (size, address). Finds the first block of at least a size.
 *
 * <p>Blocks are grouped into bins by size. Up to 1 MiB every multiple of 512 bytes has its own bin;
 * above, each power of two has 32. A list that few blocks were added to has one bin. Two levels of
 * bitmaps show which bins are not empty:
 *
 * <pre>
 *   summary   one bit for a word of occupied
 *   occupied  one bit for a bin
 *   bin       a {@link KeyRun} in descending order: the best fit is last
 *   larger    the entries of a bin that do not fit in its run, if its first word has MORE set
 *
 *   key 0     bytes / 512 (32) | registration of the segment (31), 0 when ties go by address
 *   key 1     address / 512 (39) | slot of the block (24)
 * </pre>
 *
 * Both keys are positive, so comparing two longs gives the whole order, and a search reads keys but
 * no block record. Removing the best fit from a bin moves no entry; other removals and insertions
 * move the entries after them, which are few: most bins have one run, and a run is short. A
 * position is a bin, a run (0, or that of the larger entries) and an index in it.
 */
public final class SortedBlocks {
  /** The result of a search that finds no block; see {@link #bestFit}. */
  public static final long NOT_FOUND = -1;

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

  /** In the first word of a bin: {@link #larger} has entries of it. */
  private static final long MORE = 1L << 32;

  private static final int INDEX_BITS = 9;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  /**
   * A list has one bin for all sizes until so many blocks were added, because a recording may have
   * as many lists as blocks.
   */
  private static final int MOST_IN_ONE_BIN = 1 << 10;

  /** For lists without a block; never changed. */
  static final SortedBlocks EMPTY = new SortedBlocks();

  private long[][] bins = {KeyRun.EMPTY};
  private long[] occupied = {0};
  private int binMask;
  private int addedCount;
  private long summary;
  private int size;
  private final Map<Integer, LargerRuns> larger = new HashMap<>(0);

  private static boolean hasMore(long[] run) {
    return run[0] >= MORE;
  }

  private LargerRuns larger(int bin) {
    return Objects.requireNonNull(larger.get(bin));
  }

  public int size() {
    return size;
  }

  /** Adds a block with its keys. */
  void insert(long key0, long key1) {
    if (binMask == 0 && ++addedCount > MOST_IN_ONE_BIN) {
      separate();
    }
    int bin = binOf(units(key0));
    long[] run = bins[bin];
    if (run[0] >= KeyRun.MAX_ENTRIES) {
      insertInLong(bin, run, key0, key1);
    } else {
      insertInFirst(bin, run, key0, key1);
    }
    size++;
  }

  /** Gives each size its own bin. */
  private void separate() {
    long[] keys = new long[2 * size];
    int at = 0;
    for (long position = last(); position != NOT_FOUND; position = previous(position)) {
      keys[at++] = KeyRun.key0(run(position), indexIn(position));
      keys[at++] = KeyRun.key1(run(position), indexIn(position));
    }
    bins = new long[BINS][];
    Arrays.fill(bins, KeyRun.EMPTY);
    occupied = new long[BINS >>> 6];
    binMask = BINS - 1;
    summary = 0;
    size = 0;
    larger.clear();
    // The smallest last, as they are in a bin.
    for (int i = 0; i < at; i += 2) {
      insert(keys[i], keys[i + 1]);
    }
  }

  private void insertInFirst(int bin, long[] run, long key0, long key1) {
    long[] longer = KeyRun.insert(run, key0, key1);
    if (longer.length != run.length) {
      bins[bin] = longer;
    }
    if (longer[0] == 1) {
      occupied[bin >>> 6] |= 1L << bin;
      summary |= 1L << (bin >>> 6);
    }
  }

  /** Adds to a bin that is too long for one run. */
  private void insertInLong(int bin, long[] run, long key0, long key1) {
    LargerRuns more = larger.computeIfAbsent(bin, _ -> new LargerRuns());
    boolean isSmaller = more.isEmpty() || !more.reachesBelow(key0, key1);
    if (isSmaller && KeyRun.count(run) == KeyRun.MAX_ENTRIES) {
      more.addSmallest(KeyRun.splitLarger(run));
      run[0] |= MORE;
      isSmaller = !more.reachesBelow(key0, key1);
    }
    if (isSmaller) {
      insertInFirst(bin, run, key0, key1);
    } else {
      more.insert(key0, key1);
    }
  }

  /**
   * Removes a block.
   *
   * @return whether it was in the list
   */
  boolean remove(long key0, long key1) {
    int bin = binOf(units(key0));
    long[] run = bins[bin];
    int at = KeyRun.indexOf(run, key0, key1);
    if (at >= 0) {
      removeFromFirst(bin, run, at);
      return true;
    }
    long position = hasMore(run) ? positionOfLarger(bin, key0, key1) : NOT_FOUND;
    if (position == NOT_FOUND) {
      return false;
    }
    removeAt(position);
    return true;
  }

  /** Removes the block at a position. */
  void removeAt(long position) {
    int bin = binIn(position);
    if (runIn(position) == 0) {
      removeFromFirst(bin, bins[bin], indexIn(position));
      return;
    }
    larger(bin).removeAt(runIn(position), indexIn(position));
    forgetIfEmpty(bin);
    size--;
  }

  private void removeFromFirst(int bin, long[] run, int at) {
    KeyRun.remove(run, at);
    if (run[0] == 0) {
      long word = occupied[bin >>> 6] & ~(1L << bin);
      occupied[bin >>> 6] = word;
      if (word == 0) {
        summary &= ~(1L << (bin >>> 6));
      }
    } else if (run[0] == MORE) {
      long[] next = larger(bin).removeSmallest();
      next[0] |= MORE;
      bins[bin] = next;
      forgetIfEmpty(bin);
    }
    size--;
  }

  private void forgetIfEmpty(int bin) {
    if (larger(bin).isEmpty()) {
      larger.remove(bin);
      bins[bin][0] &= ~MORE;
    }
  }

  /**
   * The position of the first block of at least this size, or {@link #NOT_FOUND}. Positions are
   * valid until the list changes.
   */
  public long bestFit(long bytes) {
    long units = (bytes + (1L << LOG2_UNIT) - 1) >>> LOG2_UNIT;
    if (units >= MAX_UNITS) {
      return NOT_FOUND;
    }
    int lowestBin = binOf(units);
    int bin = occupiedFrom(lowestBin);
    if (bin == lowestBin && (bin >= EXACT_BINS || binMask == 0)) {
      // The bin holds blocks of several sizes, and perhaps none is large enough.
      long position = firstFrom(bin, units << REGISTRATION_BITS);
      if (position != NOT_FOUND) {
        return position;
      }
      bin = occupiedFrom(bin + 1);
    }
    return smallestOf(bin);
  }

  /** The position of the smallest entry of a bin that is not smaller than a first key. */
  private long firstFrom(int bin, long key0) {
    long[] run = bins[bin];
    int fitting = KeyRun.insertionIndex(run, key0, 0);
    if (fitting > 0) {
      return position(bin, 0, fitting - 1);
    }
    int number = hasMore(run) ? larger(bin).runFrom(key0, 0) : 0;
    return number == 0
        ? NOT_FOUND
        : position(bin, number, KeyRun.insertionIndex(larger(bin).run(number), key0, 0) - 1);
  }

  /** The position after this one in the order, or {@link #NOT_FOUND}. */
  public long next(long position) {
    if (indexIn(position) > 0) {
      return position - 1;
    }
    int bin = binIn(position);
    int number = runIn(position) + 1;
    if (hasMore(bins[bin]) && number <= larger(bin).count()) {
      return position(bin, number, KeyRun.count(larger(bin).run(number)) - 1);
    }
    return smallestOf(occupiedFrom(bin + 1));
  }

  /** The position before this one in the order, or {@link #NOT_FOUND}. */
  public long previous(long position) {
    int at = indexIn(position) + 1;
    if (at < KeyRun.count(run(position))) {
      return position + 1;
    }
    return runIn(position) > 0
        ? position(binIn(position), runIn(position) - 1, 0)
        : largestOf(occupiedUpTo(binIn(position) - 1));
  }

  public long first() {
    return smallestOf(occupiedFrom(0));
  }

  /** The position of the largest block. */
  public long last() {
    return largestOf(occupiedUpTo(bins.length - 1));
  }

  public int block(long position) {
    return blockOf(KeyRun.key1(run(position), indexIn(position)));
  }

  /** Whether the block at a position comes before the one with these keys. */
  boolean isBefore(long position, long key0, long key1) {
    return KeyRun.isSmaller(run(position), indexIn(position), key0, key1);
  }

  /** The position of a block, or {@link #NOT_FOUND}. */
  public long positionOf(long key0, long key1) {
    int bin = binOf(units(key0));
    long[] run = bins[bin];
    int at = KeyRun.indexOf(run, key0, key1);
    if (at >= 0) {
      return position(bin, 0, at);
    }
    return hasMore(run) ? positionOfLarger(bin, key0, key1) : NOT_FOUND;
  }

  private long positionOfLarger(int bin, long key0, long key1) {
    int number = larger(bin).runFrom(key0, key1);
    int at = number == 0 ? -1 : KeyRun.indexOf(larger(bin).run(number), key0, key1);
    return at < 0 ? NOT_FOUND : position(bin, number, at);
  }

  /**
   * The first key of a block.
   *
   * @param registration at most 31 bits; 0 if ties go by address
   */
  public static long key0(long bytes, long registration) {
    return (bytes >>> LOG2_UNIT << REGISTRATION_BITS) | registration;
  }

  public static long key1(long address, int block) {
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

  private int binOf(long units) {
    return binMask & binOfSize(units);
  }

  private static int binOfSize(long units) {
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

  private long smallestOf(int bin) {
    return bin < 0 ? NOT_FOUND : position(bin, 0, KeyRun.count(bins[bin]) - 1);
  }

  private long largestOf(int bin) {
    return bin < 0 ? NOT_FOUND : position(bin, hasMore(bins[bin]) ? larger(bin).count() : 0, 0);
  }

  private long[] run(long position) {
    int number = runIn(position);
    return number == 0 ? bins[binIn(position)] : larger(binIn(position)).run(number);
  }

  private static long position(int bin, int run, int at) {
    return ((long) bin << 32) | (run << INDEX_BITS) | at;
  }

  private static int binIn(long position) {
    return (int) (position >>> 32);
  }

  private static int runIn(long position) {
    return (int) position >>> INDEX_BITS;
  }

  private static int indexIn(long position) {
    return (int) position & INDEX_MASK;
  }

  /** The bitmaps match the bins, and each bin is in order. */
  void checkInvariants() {
    int counted = 0;
    for (int bin = 0; bin < bins.length; bin++) {
      boolean marked = (occupied[bin >>> 6] & (1L << bin)) != 0;
      boolean summarized = (summary & (1L << (bin >>> 6))) != 0;
      Invariants.require(marked == (KeyRun.count(bins[bin]) > 0), "bin bitmap", bin);
      Invariants.require(summarized || !marked, "bin summary", bin);
      Invariants.require(larger.containsKey(bin) == hasMore(bins[bin]), "bin runs", bin);
    }
    long before = NOT_FOUND;
    for (long position = first(); position != NOT_FOUND; position = next(position)) {
      long key0 = KeyRun.key0(run(position), indexIn(position));
      long key1 = KeyRun.key1(run(position), indexIn(position));
      Invariants.require(binOf(units(key0)) == binIn(position), "free list bin", block(position));
      Invariants.require(
          before == NOT_FOUND || isBefore(before, key0, key1), "free list order", block(position));
      Invariants.require(positionOf(key0, key1) == position, "free list key", block(position));
      before = position;
      counted++;
    }
    Invariants.require(before == last(), "free list end", size);
    Invariants.require(counted == size, "free list count", size);
  }
}
