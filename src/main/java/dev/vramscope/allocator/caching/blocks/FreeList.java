package dev.vramscope.allocator.caching.blocks;

import dev.vramscope.allocator.Invariants;

/**
 * The inactive blocks of one pool and stream. Finds the first of at least a size, in the order of
 * {@link SortedBlocks}.
 *
 * <p>The newest block is kept outside the sorted blocks and is sorted in when the next one is
 * added:
 *
 * <pre>
 *   newest   key 0, key 1     key 0 is 0 if there is none
 *   sorted   all others
 * </pre>
 *
 * Half of the blocks are removed before they are sorted in: the remainder of a split serves the
 * next request, and a freed block coalesces with its neighbour that is freed next. These cost two
 * stores and a comparison.
 */
public final class FreeList {
  /** The result of a search that finds no block; see {@link #bestFit}. */
  public static final long NOT_FOUND = SortedBlocks.NOT_FOUND;

  /** The position of the newest block. */
  private static final long NEWEST = -2;

  /**
   * Not its own until it holds a block, because most lists of a recording with many pools do not.
   */
  private SortedBlocks sorted = SortedBlocks.EMPTY;

  private long newestKey0;
  private long newestKey1;

  public int size() {
    return sorted.size() + (newestKey0 == 0 ? 0 : 1);
  }

  /** Adds a block with its keys. */
  public void insert(long key0, long key1) {
    if (newestKey0 != 0) {
      sortNewest();
    }
    newestKey0 = key0;
    newestKey1 = key1;
  }

  /**
   * Removes a block.
   *
   * @return whether it was in the list
   */
  public boolean remove(long key0, long key1) {
    if (key0 == newestKey0 && key1 == newestKey1) {
      newestKey0 = 0;
      return true;
    }
    return sorted.remove(key0, key1);
  }

  /** Removes the block at a position. */
  public void removeAt(long position) {
    if (position == NEWEST) {
      newestKey0 = 0;
    } else {
      sorted.removeAt(position);
    }
  }

  /**
   * The position of the first block of at least this size, or {@link #NOT_FOUND}. Positions are
   * valid until the list changes.
   */
  public long bestFit(long bytes) {
    long position = sorted.bestFit(bytes);
    return newestKey0 != 0
            && SortedBlocks.bytesOf(newestKey0) >= bytes
            && (position == NOT_FOUND || !sorted.isBefore(position, newestKey0, newestKey1))
        ? NEWEST
        : position;
  }

  public int block(long position) {
    return position == NEWEST ? SortedBlocks.blockOf(newestKey1) : sorted.block(position);
  }

  /**
   * All blocks in their order; its positions are also positions in this list. Valid until the list
   * changes.
   */
  public SortedBlocks sorted() {
    if (newestKey0 != 0) {
      sortNewest();
      newestKey0 = 0;
    }
    return sorted;
  }

  private void sortNewest() {
    if (sorted == SortedBlocks.EMPTY) {
      sorted = new SortedBlocks();
    }
    sorted.insert(newestKey0, newestKey1);
  }

  public void checkInvariants() {
    Invariants.require(
        newestKey0 == 0 || sorted.positionOf(newestKey0, newestKey1) == NOT_FOUND,
        "newest block is not among the sorted ones",
        SortedBlocks.blockOf(newestKey1));
    sorted.checkInvariants();
  }
}
