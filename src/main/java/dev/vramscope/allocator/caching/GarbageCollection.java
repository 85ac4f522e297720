package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;

/**
 * Releases old unused segments of the large default pool before more memory is acquired, if the
 * allocator holds more than {@code garbage_collection_threshold} of its limit. The age of a block
 * is counted in searches of its pool.
 */
final class GarbageCollection {
  private final Blocks blocks;
  private final Pools pools;
  private final PlainSegments plainSegments;
  private final MemoryLimit limit;
  private final Configuration configuration;

  GarbageCollection(CachingState state, PlainSegments plainSegments) {
    this.blocks = state.blocks;
    this.pools = state.pools;
    this.plainSegments = plainSegments;
    this.limit = state.limit;
    this.configuration = state.configuration;
  }

  /** Releases segments of at least average age, in several rounds, until enough is released. */
  void collect() {
    if (!limit.isGarbageCollected(configuration)) {
      return;
    }
    long threshold = (long) (configuration.garbageCollectionThreshold() * limit.allowedBytes());
    long excess = limit.heldBytes() - threshold;
    if (excess <= 0) {
      return;
    }
    Pool pool = pools.large();
    // Expandable blocks count for the average, as in PyTorch, but are never released.
    double totalAge = 0;
    int count = 0;
    for (int block : pool.freeBlocks()) {
      if (!blocks.isSplit(block)) {
        totalAge += pool.age(block);
        count++;
      }
    }
    long released = 0;
    boolean progress = true;
    while (released < excess && progress && count > 0) {
      double averageAge = totalAge / count;
      progress = false;
      for (int block : pool.freeBlocks()) {
        if (!blocks.isSplit(block)
            && !blocks.has(block, Blocks.EXPANDABLE)
            && pool.age(block) >= averageAge) {
          progress = true;
          released += blocks.bytes(block);
          totalAge -= pool.age(block);
          count--;
          plainSegments.release(pool, block);
        }
      }
    }
  }
}
