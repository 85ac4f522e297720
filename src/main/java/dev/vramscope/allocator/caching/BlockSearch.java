package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.FreeList;
import dev.vramscope.allocator.caching.blocks.SortedBlocks;
import dev.vramscope.allocator.caching.configuration.Configuration;

/** Finds the best inactive block for a request and removes it from its free list. */
final class BlockSearch {
  private final Blocks blocks;
  private final Configuration configuration;
  private final MemoryLimit limit;

  BlockSearch(CachingState state) {
    this.blocks = state.blocks;
    this.configuration = state.configuration;
    this.limit = state.limit;
  }

  /**
   * Finds and removes the block.
   *
   * @param expandable whether blocks of expandable segments may serve the request
   * @return the block, or {@link Blocks#NONE}
   */
  int take(Pool pool, int stream, long bytes, boolean expandable) {
    if (limit.isGarbageCollected(configuration)) {
      pool.countSearch();
    }
    FreeList list = pool.free(stream);
    long position = list.bestFit(bytes);
    if (position == FreeList.NOT_FOUND) {
      return Blocks.NONE;
    }
    if (blocks.has(list.block(position), Blocks.EXPANDABLE)) {
      SortedBlocks sorted = list.sorted();
      position = sorted.bestFit(bytes);
      position = expandable ? leastGrowable(sorted, position) : firstPlain(sorted, position);
      if (position == FreeList.NOT_FOUND) {
        return Blocks.NONE;
      }
    }
    int block = list.block(position);
    if (!mayServe(block, bytes)) {
      return Blocks.NONE;
    }
    list.removeAt(position);
    return block;
  }

  /** The first of the fitting expandable blocks that can grow no further than the next one. */
  private long leastGrowable(SortedBlocks list, long start) {
    long position = start;
    long next = list.next(position);
    while (next != FreeList.NOT_FOUND
        && blocks.has(list.block(position), Blocks.EXPANDABLE)
        && growableBytes(list.block(next)) < growableBytes(list.block(position))) {
      position = next;
      next = list.next(position);
    }
    return position;
  }

  /** The size of a block together with the unmapped range after it. */
  private long growableBytes(int block) {
    int after = blocks.next(block);
    return after != Blocks.NONE && !blocks.has(after, Blocks.MAPPED)
        ? blocks.bytes(block) + blocks.bytes(after)
        : blocks.bytes(block);
  }

  private long firstPlain(SortedBlocks list, long start) {
    long position = start;
    while (position != FreeList.NOT_FOUND && blocks.has(list.block(position), Blocks.EXPANDABLE)) {
      position = list.next(position);
    }
    return position;
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
