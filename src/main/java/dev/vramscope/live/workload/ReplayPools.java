package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The private pools of a trace, as pools of the allocator that it is re-enacted on; an allocator
 * without private pools serves everything from what it has.
 */
final class ReplayPools {
  private final @Nullable CachingAllocator allocator;
  private final long run;
  private final Map<PoolId, PoolId> pools = new HashMap<>();

  private ReplayPools(@Nullable CachingAllocator allocator, long run) {
    this.allocator = allocator;
    this.run = run;
  }

  /**
   * No pools yet.
   *
   * @param run the pools are (run, 1), (run, 2), …, so that two runs share none
   */
  static ReplayPools of(Allocator allocator, long run) {
    return new ReplayPools(allocator instanceof CachingAllocator caching ? caching : null, run);
  }

  /** Allocates in a pool, for a stream that is used by this run alone. */
  WorkBlock in(@Nullable PoolId pool, int stream, Supplier<WorkBlock> allocation) {
    if (allocator == null || pool == null || !pool.isPrivate()) {
      return allocation.get();
    }
    PoolId here = pools.get(pool);
    if (here == null) {
      here = new PoolId(run, pools.size() + 1L);
      allocator.createOrUsePool(here);
      pools.put(pool, here);
    }
    allocator.beginAllocateToPool(here, requesting -> requesting == stream);
    try {
      return allocation.get();
    } finally {
      allocator.endAllocateToPool(here);
      allocator.releasePool(here);
    }
  }

  /** Lets go of the pools: emptying the cache gives their memory back. */
  void release() {
    if (allocator != null) {
      pools.values().forEach(allocator::releasePool);
      pools.clear();
    }
  }
}
