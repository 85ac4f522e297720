package dev.vramscope.live.feed;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pools a feed has met, in the order it met them. Not thread-safe. */
final class Pools {
  /** A pool of small or of large blocks. */
  record Pool(PoolId id, boolean large) {}

  private final Allocator allocator;
  private final List<Pool> pools = new ArrayList<>();
  private final Map<Pool, Integer> places = new HashMap<>();
  private final Map<Integer, Integer> placeOfNumber = new HashMap<>();
  private long version;

  Pools(Allocator allocator) {
    this.allocator = allocator;
  }

  /** The place of a pool that an event named by its number. */
  int place(int number, long now) {
    return placeOfNumber.computeIfAbsent(
        number, n -> place(allocator.poolId(n), allocator.isLargePool(n), now));
  }

  int place(PoolId id, boolean large, long now) {
    Pool pool = new Pool(id, large);
    Integer known = places.get(pool);
    if (known != null) {
      return known;
    }
    places.put(pool, pools.size());
    pools.add(pool);
    version = now;
    return pools.size() - 1;
  }

  /** The version in which the last one was met. */
  long version() {
    return version;
  }

  List<Pool> all() {
    return pools;
  }
}
