package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.PoolId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The default pools, the private pools, and the scopes that route requests to private pools.
 *
 * <p>Each small and each large pool has a number, which is never used again, so that a history can
 * name pools that are gone.
 */
final class Pools {
  static final int DEFAULT_SMALL = 0;
  static final int DEFAULT_LARGE = 1;

  /** 2^64 divided by the golden ratio: spreads pool ids in PyTorch's hash table. */
  private static final long HASH_FACTOR = -7046029254386353131L;

  /** Requests that pass the filter go to the pool. */
  private record Scope(PrivatePool pool, IntPredicate streamFilter) {}

  private final Blocks blocks;
  private final TieOrder ties;
  private final Pool small;
  private final Pool large;
  private final List<@Nullable Pool> byNumber = new ArrayList<>();
  private final List<PoolId> idByNumber = new ArrayList<>();
  private final BitSet largeByNumber = new BitSet();
  private final Map<PoolId, PrivatePool> privatePools = new LinkedHashMap<>();
  private final List<Scope> scopes = new ArrayList<>();

  Pools(Blocks blocks, TieOrder ties) {
    this.blocks = blocks;
    this.ties = ties;
    small = new Pool(DEFAULT_SMALL, true, null, blocks, ties);
    large = new Pool(DEFAULT_LARGE, false, null, blocks, ties);
    add(small);
    add(large);
  }

  private void add(Pool pool) {
    largeByNumber.set(byNumber.size(), !pool.isSmall());
    byNumber.add(pool);
    idByNumber.add(pool.id());
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
    return idByNumber.get(number);
  }

  /** Whether that pool serves or served large requests. */
  boolean isLarge(int number) {
    return largeByNumber.get(number);
  }

  /** A number that names a pool, existing or not, in events about it. */
  int numberFor(PoolId id) {
    int number = idByNumber.lastIndexOf(id);
    if (number < 0) {
      byNumber.add(null);
      idByNumber.add(id);
      number = idByNumber.size() - 1;
    }
    return number;
  }

  /** Where a request goes: the innermost scope that wants it, or a default pool. */
  Pool poolFor(long blockBytes, int stream) {
    boolean isSmall = SizeRules.isSmall(blockBytes);
    for (int i = scopes.size() - 1; i >= 0; i--) {
      Scope scope = scopes.get(i);
      if (scope.streamFilter.test(stream)) {
        return isSmall ? scope.pool.small() : scope.pool.large();
      }
    }
    return isSmall ? small : large;
  }

  /** Makes a pool, or adds a user to it. */
  PrivatePool createOrUse(PoolId id) {
    PrivatePool pool = privatePools.get(id);
    if (pool == null) {
      pool = new PrivatePool(id, byNumber.size(), byNumber.size() + 1, blocks, ties);
      add(pool.small());
      add(pool.large());
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
    PrivatePool pool = createOrUse(id);
    for (Scope scope : scopes) {
      if (scope.pool == pool) {
        throw new IllegalStateException("beginAllocateToPool: already recording to mempool_id");
      }
    }
    scopes.add(new Scope(pool, streamFilter));
  }

  void endScope(PoolId id) {
    for (int i = 0; i < scopes.size(); i++) {
      if (scopes.get(i).pool.id().equals(id)) {
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
    pool.removeUser();
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
    return (id.graph() != 0 ? id.graph() : id.handle()) * HASH_FACTOR;
  }

  /** Forgets a released pool that holds no memory. */
  void remove(PrivatePool pool) {
    privatePools.remove(pool.id());
    byNumber.set(pool.small().number(), null);
    byNumber.set(pool.large().number(), null);
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
