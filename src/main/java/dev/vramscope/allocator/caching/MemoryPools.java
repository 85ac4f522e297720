package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.model.PoolId;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * The private pools of an allocator, and the graph captures that allocate from them. Thread-safe.
 */
public final class MemoryPools {
  private final AllocatorLock lock;
  private final Pools pools;
  private final Captures captures;

  MemoryPools(CachingState state, Captures captures) {
    lock = state.lock;
    pools = state.pools;
    this.captures = captures;
  }

  /** Creates a private pool with one user, or adds a user to an existing one. */
  public void createOrUse(PoolId id) {
    lock.during(() -> pools.createOrUse(id));
  }

  /**
   * Routes requests of the streams that pass the filter to the pool, and adds a user to it.
   *
   * @throws IllegalStateException if the pool has a scope already; the user is added anyway
   */
  public void beginAllocate(PoolId id, IntPredicate streamFilter) {
    lock.during(() -> pools.beginScope(id, streamFilter));
  }

  /** Ends the scope; the pool keeps the user. */
  public void endAllocate(PoolId id) {
    lock.during(() -> captures.endScope(id));
  }

  /**
   * Removes a user. When a pool has none, {@link CachingAllocator#emptyCache()} releases its
   * memory.
   */
  public void release(PoolId id) {
    lock.during(() -> pools.release(id));
  }

  public int useCount(PoolId id) {
    return lock.during(() -> pools.require(id).useCount());
  }

  /** Whether pools with this id, existing or not, serve default requests that would fail. */
  public void setUsedOnOutOfMemory(PoolId id, boolean used) {
    lock.during(() -> pools.setFallback(id, used));
  }

  /** Blocks of this pool, existing or not, are not split until its last user is removed. */
  public void forbidSplits(PoolId id) {
    lock.during(() -> pools.forbidSplits(id));
  }

  /**
   * Sets how to find out whether the current stream of the calling thread is being captured. Only
   * calls of such threads are part of a capture. By default all calls are, while one is in
   * progress.
   */
  public void setCaptureStatus(BooleanSupplier capturing) {
    lock.during(() -> captures.setStatus(capturing));
  }

  /** Begins a graph capture: until it ends, frees that need events are deferred. */
  public void beginCapture() {
    lock.during(captures::begin);
  }

  public void endCapture() {
    lock.during(captures::end);
  }
}
