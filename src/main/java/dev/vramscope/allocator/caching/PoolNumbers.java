package dev.vramscope.allocator.caching;

import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The numbers by which blocks and histories name pools: two for each id, the even one for its small
 * pool, the next one for its large pool.
 *
 * <p>An id keeps its numbers when its pools are gone, so that a history can still name them. Only
 * when {@link #REMEMBERED} others went after it, its numbers are given to a new id.
 */
final class PoolNumbers {
  static final int REMEMBERED = 1 << 14;

  private final List<PoolId> ids = new ArrayList<>();
  private final Map<PoolId, Integer> numbers = new HashMap<>();

  /** Numbers of ids without pools, the first gone first. */
  private final LinkedHashSet<Integer> gone = new LinkedHashSet<>();

  /** The number of the small pool of an id that has pools from now on. */
  int take(PoolId id) {
    Integer known = numbers.get(id);
    if (known != null) {
      gone.remove(known);
      return known;
    }
    int number = gone.size() >= REMEMBERED ? gone.removeFirst() : 2 * ids.size();
    if (number == 2 * ids.size()) {
      ids.add(id);
    } else {
      numbers.remove(ids.set(number / 2, id));
    }
    numbers.put(id, number);
    return number;
  }

  /** The pools of the id are gone. */
  void retire(PoolId id) {
    gone.add(take(id));
  }

  PoolId id(int number) {
    return ids.get(number / 2);
  }

  /** A number that names the id in an event, whether it has pools or not. */
  int name(PoolId id) {
    Integer known = numbers.get(id);
    if (known != null) {
      return known;
    }
    int number = take(id);
    gone.add(number);
    return number;
  }

  /** Whether the number is that of an id's large pool. */
  static boolean isLarge(int number) {
    return (number & 1) != 0;
  }

  /** Numbers are below this. */
  int end() {
    return 2 * ids.size();
  }
}
