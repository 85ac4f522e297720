package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;

/**
 * Releases old unused segments of the large default pool before the device is asked for more, as
 * soon as the allocator holds more than a share of what it may. Age is counted in searches.
 */
final class GarbageCollection {
  private final Blocks blocks;
  private final Pools pools;
  private final PlainSegments plainSegments;
  private final MemoryLimit limit;
  private final Configuration configuration;

  GarbageCollection(
      Blocks blocks,
      Pools pools,
      PlainSegments plainSegments,
      MemoryLimit limit,
      Configuration configuration) {
    this.blocks = blocks;
    this.pools = pools;
    this.plainSegments = plainSegments;
    this.limit = limit;
    this.configuration = configuration;
  }

  /** Round after round, what is at least of average age goes, until the excess is gone. */
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
    // Expandable blocks count for the average, as in the original, but never go.
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
