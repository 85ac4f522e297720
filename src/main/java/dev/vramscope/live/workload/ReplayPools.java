package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maps the private pools of a trace to pools of the allocator it is replayed on. Has no effect on
 * an allocator without private pools.
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
   * Creates a mapping without pools.
   *
   * @param run the pools are (run, 1), (run, 2), …, so that two runs share no pool
   */
  static ReplayPools of(Allocator allocator, long run) {
    return new ReplayPools(allocator instanceof CachingAllocator caching ? caching : null, run);
  }

  /** Allocates in a pool, for a stream that only this run uses. */
  WorkBlock allocateIn(@Nullable PoolId pool, int stream, Supplier<WorkBlock> allocation) {
    if (allocator == null || pool == null || !pool.isPrivate()) {
      return allocation.get();
    }
    PoolId mapped = pools.get(pool);
    if (mapped == null) {
      mapped = new PoolId(run, pools.size() + 1L);
      allocator.memoryPools().createOrUse(mapped);
      pools.put(pool, mapped);
    }
    allocator.memoryPools().beginAllocate(mapped, requesting -> requesting == stream);
    try {
      return allocation.get();
    } finally {
      allocator.memoryPools().endAllocate(mapped);
      allocator.memoryPools().release(mapped);
    }
  }

  /** Releases the pools; emptying the cache then releases their memory. */
  void release() {
    if (allocator != null) {
      pools.values().forEach(allocator.memoryPools()::release);
      pools.clear();
    }
  }
}
