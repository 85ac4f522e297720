package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.statistics.Statistics;

/** The last step of a free: a block that nobody uses becomes inactive and joins its neighbours. */
final class FreeCompletion {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Pools pools;
  private final Statistics statistics;
  private final Listeners listeners;
  private final ReleaseRanking ranking;

  FreeCompletion(
      Blocks blocks,
      SegmentLayout layout,
      Pools pools,
      Statistics statistics,
      Listeners listeners,
      ReleaseRanking ranking) {
    this.blocks = blocks;
    this.layout = layout;
    this.pools = pools;
    this.statistics = statistics;
    this.listeners = listeners;
    this.ranking = ranking;
  }

  /** Makes a freed block inactive. */
  void complete(int block) {
    long bytes = blocks.bytes(block);
    long requestedBytes = blocks.requestedBytes(block);
    Pool pool = pools.get(blocks.pool(block));
    if (!listeners.isEmpty()) {
      listeners.event(
          AllocatorEvent.FREE_COMPLETED,
          blocks.address(block),
          requestedBytes,
          blocks.stream(block),
          pool.number());
    }
    blocks.clear(block, Blocks.ACTIVE);

    // Inactive neighbours disappear into the block, and the block itself is one more inactive
    // piece, if it does not fill its segment.
    int pieces = 0;
    long pieceBytes = 0;
    int before = blocks.previous(block);
    if (layout.canJoin(block, before)) {
      pieces--;
      pieceBytes -= blocks.bytes(before);
      pool.remove(before);
      layout.joinPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canJoin(block, after)) {
      pieces--;
      pieceBytes -= blocks.bytes(after);
      pool.remove(after);
      layout.joinNext(block);
    }
    pool.insert(block);
    if (!blocks.has(block, Blocks.EXPANDABLE)) {
      if (blocks.isSplit(block)) {
        pieces++;
        pieceBytes += blocks.bytes(block);
      }
      statistics.inactiveSplits(pool.isSmall(), pieces, pieceBytes);
    }
    statistics.blockInactive(pool.isSmall(), bytes, requestedBytes);
    ranking.neighboursChanged(block);
  }
}
