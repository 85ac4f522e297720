package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.SegmentLayout;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.TraceAction;

/** The last step of a free: an unused block becomes inactive and coalesces with its neighbours. */
final class FreeCompletion {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Pools pools;
  private final Statistics statistics;
  private final Listeners listeners;
  private final ReleaseRanking ranking;

  FreeCompletion(CachingState state) {
    this.blocks = state.blocks;
    this.layout = state.layout;
    this.pools = state.pools;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
    this.ranking = state.ranking;
  }

  /** Makes a freed block inactive. */
  void complete(int block) {
    long bytes = blocks.bytes(block);
    long requestedBytes = blocks.requestedBytes(block);
    Pool pool = pools.get(blocks.pool(block));
    if (!listeners.isEmpty()) {
      listeners.event(
          TraceAction.FREE_COMPLETED,
          blocks.address(block),
          requestedBytes,
          blocks.stream(block),
          pool.number());
    }
    blocks.clear(block, Blocks.ACTIVE);

    // Changes to the inactive split blocks: each neighbour that is absorbed is one less, and the
    // block itself is one more unless it fills its segment.
    int splits = 0;
    long splitBytes = 0;
    int before = blocks.previous(block);
    if (layout.canCoalesce(block, before)) {
      splits--;
      splitBytes -= blocks.bytes(before);
      pool.remove(before);
      layout.absorbPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canCoalesce(block, after)) {
      splits--;
      splitBytes -= blocks.bytes(after);
      pool.remove(after);
      layout.absorbNext(block);
    }
    pool.insert(block);
    if (!blocks.has(block, Blocks.EXPANDABLE)) {
      if (blocks.isSplit(block)) {
        splits++;
        splitBytes += blocks.bytes(block);
      }
      statistics.inactiveSplits(pool.kind(), splits, splitBytes);
    }
    statistics.blockInactive(pool.kind(), bytes, requestedBytes);
    ranking.neighboursChanged(block);
  }
}
