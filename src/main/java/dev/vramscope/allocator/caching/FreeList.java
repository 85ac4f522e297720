package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Laws;

/**
 * The inactive blocks of one pool and stream. Finds the first of at least a size, in the order of
 * {@link SortedBlocks}.
 *
 * <p>The block that came last stands aside, and is sorted in only when the next one comes:
 *
 * <pre>
 *   aside    key 0, key 1     the newest block; key 0 is 0 if it is gone already
 *   sorted   all others
 * </pre>
 *
 * Half of the blocks are gone by then: what a split leaves over serves the next request, and what
 * was freed joins its neighbour that is freed next. They cost two stores and a comparison.
 */
final class FreeList {
  /** What a search gives when there is nothing; see {@link #seek}. */
  static final long NOWHERE = SortedBlocks.NOWHERE;

  /** The place of the block that stands aside. */
  private static final long ASIDE = -2;

  private final SortedBlocks sorted = new SortedBlocks();
  private long aside0;
  private long aside1;

  int size() {
    return sorted.size() + (aside0 == 0 ? 0 : 1);
  }

  /** Adds a block with its keys. */
  void insert(long key0, long key1) {
    if (aside0 != 0) {
      sorted.insert(aside0, aside1);
    }
    aside0 = key0;
    aside1 = key1;
  }

  /**
   * Takes a block out.
   *
   * @return whether it was there
   */
  boolean remove(long key0, long key1) {
    if (key0 == aside0 && key1 == aside1) {
      aside0 = 0;
      return true;
    }
    return sorted.remove(key0, key1);
  }

  /** Takes the block at a place out. */
  void removeAt(long place) {
    if (place == ASIDE) {
      aside0 = 0;
    } else {
      sorted.removeAt(place);
    }
  }

  /**
   * The place of the first block of at least this size, or {@link #NOWHERE}. A place is good until
   * the list changes.
   */
  long seek(long bytes) {
    long place = sorted.seek(bytes);
    return aside0 != 0
            && SortedBlocks.bytesOf(aside0) >= bytes
            && (place == NOWHERE || !sorted.isBefore(place, aside0, aside1))
        ? ASIDE
        : place;
  }

  int block(long place) {
    return place == ASIDE ? SortedBlocks.blockOf(aside1) : sorted.block(place);
  }

  /** All blocks in their order; places in it are places in this list. Good until it changes. */
  SortedBlocks sorted() {
    if (aside0 != 0) {
      sorted.insert(aside0, aside1);
      aside0 = 0;
    }
    return sorted;
  }

  void checkInvariants() {
    Laws.require(
        aside0 == 0 || sorted.placeOf(aside0, aside1) == NOWHERE,
        "block aside is not sorted in",
        SortedBlocks.blockOf(aside1));
    sorted.checkInvariants();
  }
}
