package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.SegmentLayout;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.TraceAction;

/** Turns an inactive block that was removed from its free list into an allocated one. */
final class BlockAssignment {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final ReleaseRanking ranking;

  BlockAssignment(CachingState state) {
    this.blocks = state.blocks;
    this.layout = state.layout;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
    this.ranking = state.ranking;
  }

  /**
   * Whether the remainder of a block becomes a block of its own.
   *
   * @param expandable whether the request was for an expandable segment
   */
  boolean shouldSplit(Pool pool, int block, long bytes, boolean expandable) {
    return pool.maySplit()
        && blocks.bytes(block) - bytes
            > configuration.sizes().maxUnsplitRemainder(pool.kind(), expandable, bytes);
  }

  /**
   * Allocates a block, or its front part.
   *
   * @param inactiveBlock in no free list
   * @param split whether only the front part is allocated
   * @return the allocated block
   */
  int assign(Pool pool, int inactiveBlock, long bytes, long requestedBytes, boolean split) {
    boolean wasSplit = blocks.isSplit(inactiveBlock);
    boolean expandable = blocks.has(inactiveBlock, Blocks.EXPANDABLE);
    int block = inactiveBlock;
    if (split) {
      block = layout.splitFront(inactiveBlock, bytes);
      pool.insert(inactiveBlock);
      if (!expandable) {
        if (wasSplit) {
          statistics.inactiveSplits(pool.kind(), 0, -bytes);
        } else {
          statistics.inactiveSplits(pool.kind(), 1, blocks.bytes(inactiveBlock));
        }
      }
    } else if (wasSplit && !expandable) {
      statistics.inactiveSplits(pool.kind(), -1, -blocks.bytes(block));
    }
    blocks.set(block, Blocks.ALLOCATED | Blocks.ACTIVE);
    blocks.setRequestedBytes(block, requestedBytes);
    if (!listeners.isEmpty()) {
      listeners.blockAllocated(blocks.address(block), blocks.bytes(block));
      listeners.event(
          TraceAction.ALLOC,
          blocks.address(block),
          requestedBytes,
          blocks.stream(block),
          pool.number());
    }
    long blockBytes = blocks.bytes(block);
    statistics.blockAllocated(pool.kind(), blockBytes, requestedBytes);
    if (configuration.isOversize(blockBytes)) {
      statistics.oversizeAllocated();
    }
    ranking.add(block);
    return block;
  }
}
