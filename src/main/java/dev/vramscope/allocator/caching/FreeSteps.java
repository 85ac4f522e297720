package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.TraceAction;

/**
 * Frees a block, in steps:
 *
 * <ol>
 *   <li>the block is no longer allocated;
 *   <li>if no other stream uses it, it becomes inactive immediately and coalesces with its
 *       neighbours;
 *   <li>otherwise it stays active until an event in each of these streams is complete
 *   <li>or, during a graph capture, until the capture ends.
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
      CachingState state, FreeCompletion completion, PendingFrees pendingFrees, Captures captures) {
    this.blocks = state.blocks;
    this.pools = state.pools;
    this.uses = state.uses;
    this.completion = completion;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
    this.ranking = state.ranking;
  }

  void free(int block) {
    endAllocation(block);
    if (!uses.any(block)) {
      completion.complete(block);
    } else if (captures.isActive()) {
      captures.defer(block);
    } else {
      captures.discardUses(block);
      pendingFrees.await(block);
    }
  }

  /** From here on the handle is invalid and the block counts as freed. */
  private void endAllocation(int block) {
    // Looked up first: if the pool was removed, this throws before anything changes.
    Pool pool = pools.get(blocks.pool(block));
    blocks.clear(block, Blocks.ALLOCATED);
    blocks.retireHandle(block);
    ranking.remove(block);
    long bytes = blocks.bytes(block);
    statistics.blockFreed(pool.kind(), bytes);
    if (!listeners.isEmpty()) {
      listeners.event(
          TraceAction.FREE_REQUESTED,
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
