package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;

/** Makes an inactive block that was taken out of its list an allocated one, splitting it if due. */
final class BlockAssignment {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final ReleaseRanking ranking;

  BlockAssignment(
      Blocks blocks,
      SegmentLayout layout,
      Configuration configuration,
      Statistics statistics,
      Listeners listeners,
      ReleaseRanking ranking) {
    this.blocks = blocks;
    this.layout = layout;
    this.configuration = configuration;
    this.statistics = statistics;
    this.listeners = listeners;
    this.ranking = ranking;
  }

  /**
   * Whether what is left over becomes a block of its own.
   *
   * @param expandable whether the request was one for expandable segments
   */
  boolean shouldSplit(Pool pool, int block, long bytes, boolean expandable) {
    if (!pool.maySplit()) {
      return false;
    }
    long rest = blocks.bytes(block) - bytes;
    if (pool.isSmall() || expandable) {
      return rest >= SizeRules.MIN_BLOCK_BYTES;
    }
    return rest > SizeRules.LARGEST_SMALL_BYTES && !configuration.isOversize(bytes);
  }

  /**
   * Hands a block out, or its front part.
   *
   * @param found inactive, in no list
   * @return the allocated block
   */
  int assign(Pool pool, int found, long bytes, long requestedBytes, boolean split) {
    boolean wasSplit = blocks.isSplit(found);
    boolean expandable = blocks.has(found, Blocks.EXPANDABLE);
    int block = found;
    if (split) {
      block = layout.splitFront(found, bytes);
      pool.insert(found);
      if (!expandable) {
        if (wasSplit) {
          statistics.inactiveSplits(pool.isSmall(), 0, -bytes);
        } else {
          statistics.inactiveSplits(pool.isSmall(), 1, blocks.bytes(found));
        }
      }
    } else if (wasSplit && !expandable) {
      statistics.inactiveSplits(pool.isSmall(), -1, -blocks.bytes(block));
    }
    blocks.set(block, Blocks.ALLOCATED | Blocks.ACTIVE);
    blocks.setRequestedBytes(block, requestedBytes);
    if (!listeners.isEmpty()) {
      listeners.blockAllocated(blocks.address(block), blocks.bytes(block));
      listeners.event(
          AllocatorEvent.ALLOC,
          blocks.address(block),
          requestedBytes,
          blocks.stream(block),
          pool.number());
    }
    long blockBytes = blocks.bytes(block);
    statistics.blockAllocated(pool.isSmall(), blockBytes, requestedBytes);
    if (configuration.isOversize(blockBytes)) {
      statistics.oversizeAllocated();
    }
    ranking.add(block);
    return block;
  }
}
