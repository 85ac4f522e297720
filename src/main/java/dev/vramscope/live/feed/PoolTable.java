package dev.vramscope.live.feed;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pools of an allocator, in the order in which a feed encounters them. Not thread-safe. */
final class PoolTable {
  /** A pool of small or of large blocks. */
  record Pool(PoolId id, boolean large) {}

  private final Allocator allocator;
  private final List<Pool> pools = new ArrayList<>();
  private final Map<Pool, Integer> indices = new HashMap<>();
  private final Map<Integer, Integer> indexOfNumber = new HashMap<>();
  private long version;

  PoolTable(Allocator allocator) {
    this.allocator = allocator;
  }

  /** The index of a pool that an event refers to by its number. */
  int indexOf(int number, long now) {
    return indexOfNumber.computeIfAbsent(
        number,
        n -> indexOf(allocator.inspect().poolId(n), allocator.inspect().isLargePool(n), now));
  }

  int indexOf(PoolId id, boolean large, long now) {
    Pool pool = new Pool(id, large);
    Integer index = indices.get(pool);
    if (index != null) {
      return index;
    }
    indices.put(pool, pools.size());
    pools.add(pool);
    version = now;
    return pools.size() - 1;
  }

  /** The version that added the latest pool. */
  long version() {
    return version;
  }

  List<Pool> all() {
    return pools;
  }
}
