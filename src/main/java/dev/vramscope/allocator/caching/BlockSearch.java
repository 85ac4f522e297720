package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;

/** Finds the best inactive block for a request and takes it out of its free list. */
final class BlockSearch {
  private final Blocks blocks;
  private final Configuration configuration;
  private final MemoryLimit limit;

  BlockSearch(Blocks blocks, Configuration configuration, MemoryLimit limit) {
    this.blocks = blocks;
    this.configuration = configuration;
    this.limit = limit;
  }

  /**
   * Finds the block and takes it.
   *
   * @param expandable whether blocks of expandable segments may serve the request
   * @return the block, or {@link Blocks#NONE}
   */
  int find(Pool pool, int stream, long bytes, boolean expandable) {
    if (limit.isGarbageCollected(configuration)) {
      pool.countSearch();
    }
    FreeList list = pool.free(stream);
    long place = list.seek(bytes);
    if (place == FreeList.NOWHERE) {
      return Blocks.NONE;
    }
    if (blocks.has(list.block(place), Blocks.EXPANDABLE)) {
      SortedBlocks sorted = list.sorted();
      place = sorted.seek(bytes);
      place = expandable ? leastRoomToGrow(sorted, place) : firstPlain(sorted, place);
      if (place == FreeList.NOWHERE) {
        return Blocks.NONE;
      }
    }
    int block = list.block(place);
    if (!mayServe(block, bytes)) {
      return Blocks.NONE;
    }
    list.removeAt(place);
    return block;
  }

  /** Among expandable blocks that fit, the first that leaves less to grow than the next. */
  private long leastRoomToGrow(SortedBlocks list, long start) {
    long place = start;
    long next = list.next(place);
    while (next != FreeList.NOWHERE
        && blocks.has(list.block(place), Blocks.EXPANDABLE)
        && room(list.block(next)) < room(list.block(place))) {
      place = next;
      next = list.next(place);
    }
    return place;
  }

  /** What a block could become: itself and the unmapped range behind it. */
  private long room(int block) {
    int after = blocks.next(block);
    return after != Blocks.NONE && !blocks.has(after, Blocks.MAPPED)
        ? blocks.bytes(block) + blocks.bytes(after)
        : blocks.bytes(block);
  }

  private long firstPlain(SortedBlocks list, long start) {
    long place = start;
    while (place != FreeList.NOWHERE && blocks.has(list.block(place), Blocks.EXPANDABLE)) {
      place = list.next(place);
    }
    return place;
  }

  /** Oversize blocks serve oversize requests only, and those only if they fit closely. */
  private boolean mayServe(int block, long bytes) {
    long blockBytes = blocks.bytes(block);
    if (configuration.isOversize(bytes)) {
      return Long.compareUnsigned(blockBytes - bytes, configuration.maxNonSplitRoundingBytes()) < 0;
    }
    return !configuration.isOversize(blockBytes);
  }
}
