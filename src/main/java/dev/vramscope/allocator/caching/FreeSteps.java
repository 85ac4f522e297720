package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;

/**
 * Freeing a block, in steps:
 *
 * <ol>
 *   <li>the block is no longer allocated, whatever happens next;
 *   <li>nobody else uses it: it becomes inactive at once and joins its neighbours;
 *   <li>other streams use it: it waits for an event in each of them,
 *   <li>or, during a graph capture, for the end of the capture.
 * </ol>
 */
final class FreeSteps {
  private final Blocks blocks;
  private final Pools pools;
  private final StreamUses uses;
  private final FreeCompletion completion;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final ReleaseRanking ranking;

  FreeSteps(
      Blocks blocks,
      Pools pools,
      StreamUses uses,
      FreeCompletion completion,
      PendingFrees pendingFrees,
      Captures captures,
      Configuration configuration,
      Statistics statistics,
      Listeners listeners,
      ReleaseRanking ranking) {
    this.blocks = blocks;
    this.pools = pools;
    this.uses = uses;
    this.completion = completion;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.configuration = configuration;
    this.statistics = statistics;
    this.listeners = listeners;
    this.ranking = ranking;
  }

  void free(int block) {
    takeBack(block);
    if (!uses.any(block)) {
      completion.complete(block);
    } else if (captures.isUnderway()) {
      captures.defer(block);
    } else {
      captures.forget(block);
      pendingFrees.await(block);
    }
  }

  /** From here on the client has nothing any more: handle and bytes are gone. */
  private void takeBack(int block) {
    // Fetched first: if the pool were gone, nothing would have changed.
    Pool pool = pools.get(blocks.pool(block));
    blocks.clear(block, Blocks.ALLOCATED);
    blocks.retireHandle(block);
    ranking.remove(block);
    long bytes = blocks.bytes(block);
    statistics.blockFreed(pool.isSmall(), bytes);
    if (!listeners.isEmpty()) {
      listeners.event(
          AllocatorEvent.FREE_REQUESTED,
          blocks.address(block),
          blocks.requestedBytes(block),
          blocks.stream(block),
          pool.number());
    }
    if (configuration.isOversize(bytes)) {
      statistics.oversizeFreed();
    }
  }
}
