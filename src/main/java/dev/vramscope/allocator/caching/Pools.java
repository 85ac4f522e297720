package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The default pools, the private pools, and the scopes that route requests to private pools.
 *
 * <p>Properties of a private pool other than its users belong to its id: they may be set before the
 * pool is created, and being a fallback pool persists after it is removed.
 */
final class Pools {
  static final int DEFAULT_SMALL = 0;
  static final int DEFAULT_LARGE = 1;

  /** 2^64 divided by the golden ratio: spreads pool ids in PyTorch's hash table. */
  private static final long HASH_FACTOR = -7046029254386353131L;

  /** Routes requests of the streams that pass the filter to a pool. */
  private record Scope(PoolId pool, IntPredicate streamFilter) {}

  private final Blocks blocks;
  private final TieBreak tieBreak;
  private final Pool small;
  private final Pool large;
  private final List<@Nullable Pool> byNumber = new ArrayList<>();
  private final PoolNumbers numbers = new PoolNumbers();
  private final Map<PoolId, PrivatePool> privatePools = new LinkedHashMap<>();
  private final Set<PrivatePool> released = new LinkedHashSet<>();
  private final Set<PoolId> fallbacks = new HashSet<>();
  private final Set<PoolId> unsplittable = new HashSet<>();
  private final List<Scope> scopes = new ArrayList<>();

  Pools(Blocks blocks, TieBreak tieBreak) {
    this.blocks = blocks;
    this.tieBreak = tieBreak;
    small = new Pool(DEFAULT_SMALL, PoolKind.SMALL, null, blocks, tieBreak);
    large = new Pool(DEFAULT_LARGE, PoolKind.LARGE, null, blocks, tieBreak);
    numbers.assign(PoolId.DEFAULT);
    set(small);
    set(large);
  }

  private void set(Pool pool) {
    while (byNumber.size() < numbers.end()) {
      byNumber.add(null);
    }
    byNumber.set(pool.number(), pool);
  }

  Pool small() {
    return small;
  }

  Pool large() {
    return large;
  }

  Pool get(int number) {
    // The default pools are found without a table look-up.
    if (number == DEFAULT_SMALL) {
      return small;
    }
    if (number == DEFAULT_LARGE) {
      return large;
    }
    Pool pool = byNumber.get(number);
    if (pool == null) {
      throw new IllegalStateException("Pool " + number + " was removed.");
    }
    return pool;
  }

  /** The id of a pool, existing or removed. */
  PoolId id(int number) {
    return numbers.id(number);
  }

  /** Whether the number is that of a large pool, existing or removed. */
  boolean isLarge(int number) {
    return PoolNumbers.isLarge(number);
  }

  /** A number that identifies a pool, existing or not, in events. */
  int numberFor(PoolId id) {
    return numbers.numberFor(id);
  }

  /**
   * The pool that serves a request: that of the innermost scope whose filter the stream passes, or
   * a default pool.
   *
   * @throws UnknownPoolException if the scope's pool was released and removed
   */
  Pool poolFor(long blockBytes, int stream) {
    boolean isSmall = SizeRules.isSmall(blockBytes);
    for (int i = scopes.size() - 1; i >= 0; i--) {
      Scope scope = scopes.get(i);
      if (scope.streamFilter.test(stream)) {
        PrivatePool pool = require(scope.pool);
        return isSmall ? pool.small() : pool.large();
      }
    }
    return isSmall ? small : large;
  }

  /** Creates a pool with one user, or adds a user to an existing one. */
  PrivatePool createOrUse(PoolId id) {
    PrivatePool pool = privatePools.get(id);
    if (pool == null) {
      int number = numbers.assign(id);
      pool = new PrivatePool(id, number, !unsplittable.contains(id), blocks, tieBreak);
      set(pool.small());
      set(pool.large());
      privatePools.put(id, pool);
    } else if (pool.isReleased()) {
      throw new IllegalStateException(
          "Pool " + id + " was released by its last user and cannot be used again.");
    } else {
      pool.addUser();
    }
    return pool;
  }

  /** Adds a user and a scope; the user stays even if the pool has a scope already. */
  void beginScope(PoolId id, IntPredicate streamFilter) {
    createOrUse(id);
    for (Scope scope : scopes) {
      if (scope.pool.equals(id)) {
        throw new IllegalStateException("beginAllocateToPool: already recording to mempool_id");
      }
    }
    scopes.add(new Scope(id, streamFilter));
  }

  void endScope(PoolId id) {
    for (int i = 0; i < scopes.size(); i++) {
      if (scopes.get(i).pool.equals(id)) {
        scopes.remove(i);
        return;
      }
    }
    throw new IllegalStateException("endAllocatePool: not currently recording to mempool_id");
  }

  void release(PoolId id) {
    PrivatePool pool = require(id);
    if (pool.isReleased()) {
      throw new IllegalStateException("Pool " + id + " was released by its last user already.");
    }
    if (pool.removeUser()) {
      unsplittable.remove(id);
      released.add(pool);
    }
  }

  /** Blocks of the pool are not split until its last user is removed. */
  void forbidSplits(PoolId id) {
    unsplittable.add(id);
    PrivatePool pool = privatePools.get(id);
    if (pool != null) {
      pool.forbidSplits();
    }
  }

  /** Whether pools with this id serve requests of the default pools that would otherwise fail. */
  void setFallback(PoolId id, boolean fallback) {
    if (fallback) {
      fallbacks.add(id);
    } else {
      fallbacks.remove(id);
    }
  }

  /** One without users may be removed at any time and is not a fallback pool. */
  private boolean isFallback(PrivatePool pool) {
    return !pool.isReleased() && fallbacks.contains(pool.id());
  }

  @Nullable PrivatePool find(PoolId id) {
    return privatePools.get(id);
  }

  PrivatePool require(PoolId id) {
    PrivatePool pool = privatePools.get(id);
    if (pool == null) {
      throw new UnknownPoolException(id);
    }
    return pool;
  }

  Iterable<PrivatePool> privatePools() {
    return privatePools.values();
  }

  /** The fallback pools, in order of creation. */
  Iterable<PrivatePool> fallbackPools() {
    return fallbacks.isEmpty()
        ? List.of()
        : privatePools.values().stream().filter(this::isFallback).toList();
  }

  /** Released pools, in the iteration order of PyTorch's hash table. */
  List<PrivatePool> releasedPools() {
    List<PrivatePool> sorted = new ArrayList<>(released);
    sorted.sort(
        Comparator.<PrivatePool, Long>comparing(pool -> hash(pool.id()), Long::compareUnsigned)
            .thenComparingInt(pool -> pool.small().number()));
    return sorted;
  }

  private static long hash(PoolId id) {
    return (id.graph() != 0 ? id.graph() : id.user()) * HASH_FACTOR;
  }

  /** Removes a released pool that holds no memory. */
  void remove(PrivatePool pool) {
    privatePools.remove(pool.id());
    released.remove(pool);
    byNumber.set(pool.small().number(), null);
    byNumber.set(pool.large().number(), null);
    numbers.retire(pool.id());
  }

  long largestFreeBytes() {
    long largest = 0;
    for (Pool pool : byNumber) {
      largest = Math.max(largest, pool == null ? 0 : pool.largestFreeBytes());
    }
    return largest;
  }

  void checkInvariants() {
    for (Pool pool : byNumber) {
      if (pool != null) {
        pool.checkInvariants();
      }
    }
  }

  int freeCount() {
    int count = 0;
    for (Pool pool : byNumber) {
      count += pool == null ? 0 : pool.freeCount();
    }
    return count;
  }
}
