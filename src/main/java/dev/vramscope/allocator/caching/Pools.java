package dev.vramscope.allocator.caching;

import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The default pools, the private pools, and the scopes that route requests to private pools.
 *
 * <p>What is said about a private pool, but for its users, belongs to its id: it may be said before
 * there is such a pool, and helping out outlives it.
 */
final class Pools {
  static final int DEFAULT_SMALL = 0;
  static final int DEFAULT_LARGE = 1;

  /** 2^64 divided by the golden ratio: spreads pool ids in PyTorch's hash table. */
  private static final long HASH_FACTOR = -7046029254386353131L;

  /** Requests that pass the filter go to the pool. */
  private record Scope(PoolId pool, IntPredicate streamFilter) {}

  private final Blocks blocks;
  private final TieBreak tieBreak;
  private final Pool small;
  private final Pool large;
  private final List<@Nullable Pool> byNumber = new ArrayList<>();
  private final PoolNumbers numbers = new PoolNumbers();
  private final Map<PoolId, PrivatePool> privatePools = new LinkedHashMap<>();
  private final Set<PoolId> helpers = new HashSet<>();
  private final Set<PoolId> unsplit = new HashSet<>();
  private final List<Scope> scopes = new ArrayList<>();

  Pools(Blocks blocks, TieBreak tieBreak) {
    this.blocks = blocks;
    this.tieBreak = tieBreak;
    small = new Pool(DEFAULT_SMALL, true, null, blocks, tieBreak);
    large = new Pool(DEFAULT_LARGE, false, null, blocks, tieBreak);
    numbers.take(PoolId.DEFAULT);
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
    // The two usual ones without waiting for a table look-up.
    if (number == DEFAULT_SMALL) {
      return small;
    }
    if (number == DEFAULT_LARGE) {
      return large;
    }
    Pool pool = byNumber.get(number);
    if (pool == null) {
      throw new IllegalStateException("Pool " + number + " is gone.");
    }
    return pool;
  }

  /** The name of a pool that is or was. */
  PoolId id(int number) {
    return numbers.id(number);
  }

  /** Whether that pool serves or served large requests. */
  boolean isLarge(int number) {
    return PoolNumbers.isLarge(number);
  }

  /** A number that names a pool, existing or not, in events about it. */
  int numberFor(PoolId id) {
    return numbers.name(id);
  }

  /**
   * Where a request goes: the innermost scope that wants it, or a default pool.
   *
   * @throws UnknownPoolException if the scope's pool was released and removed meanwhile
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

  /** Makes a pool, or adds a user to it. */
  PrivatePool createOrUse(PoolId id) {
    PrivatePool pool = privatePools.get(id);
    if (pool == null) {
      int number = numbers.take(id);
      pool = new PrivatePool(id, number, !unsplit.contains(id), blocks, tieBreak);
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

  /** Adds a user and a scope; the user stays even if there is such a scope already. */
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
      unsplit.remove(id);
    }
  }

  /** Blocks of the pool are handed out whole, until its last user is gone. */
  void forbidSplits(PoolId id) {
    unsplit.add(id);
    PrivatePool pool = privatePools.get(id);
    if (pool != null) {
      pool.forbidSplits();
    }
  }

  /** Whether pools of this id help out when requests of the default pools would fail. */
  void setHelper(PoolId id, boolean helps) {
    if (helps) {
      helpers.add(id);
    } else {
      helpers.remove(id);
    }
  }

  /** Whether a pool helps out. One without users may vanish at any time and does not. */
  boolean isHelper(PrivatePool pool) {
    return !pool.isReleased() && helpers.contains(pool.id());
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

  /** Released pools in the order in which PyTorch's hash table happens to hold them. */
  List<PrivatePool> releasedPools() {
    List<PrivatePool> released = new ArrayList<>();
    for (PrivatePool pool : privatePools.values()) {
      if (pool.isReleased()) {
        released.add(pool);
      }
    }
    released.sort(Comparator.comparing(pool -> hash(pool.id()), Long::compareUnsigned));
    return released;
  }

  private static long hash(PoolId id) {
    return (id.graph() != 0 ? id.graph() : id.user()) * HASH_FACTOR;
  }

  /** Forgets a released pool that holds no memory. */
  void remove(PrivatePool pool) {
    privatePools.remove(pool.id());
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
