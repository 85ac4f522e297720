package dev.vramscope.allocator.caching;

import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The numbers that identify pools in blocks and histories: two for each id, an even one for its
 * small pool and the next one for its large pool.
 *
 * <p>An id keeps its numbers after its pools are removed, so that a history can still name them.
 * They are reused for a new id only after {@link #MAX_RETIRED} other ids were retired.
 */
final class PoolNumbers {
  static final int MAX_RETIRED = 1 << 14;

  private final List<PoolId> ids = new ArrayList<>();
  private final Map<PoolId, Integer> numbers = new HashMap<>();

  /** Numbers of ids without pools, in order of retirement. */
  private final LinkedHashSet<Integer> retired = new LinkedHashSet<>();

  /** The number of the small pool of an id whose pools are about to be created. */
  int assign(PoolId id) {
    Integer existingNumber = numbers.get(id);
    if (existingNumber != null) {
      retired.remove(existingNumber);
      return existingNumber;
    }
    int number = retired.size() >= MAX_RETIRED ? retired.removeFirst() : 2 * ids.size();
    if (number == 2 * ids.size()) {
      ids.add(id);
    } else {
      numbers.remove(ids.set(number / 2, id));
    }
    numbers.put(id, number);
    return number;
  }

  /** The pools of an id were removed. */
  void retire(PoolId id) {
    retired.add(assign(id));
  }

  PoolId id(int number) {
    return ids.get(number / 2);
  }

  /** A number that identifies an id in an event, whether it has pools or not. */
  int numberFor(PoolId id) {
    Integer existingNumber = numbers.get(id);
    if (existingNumber != null) {
      return existingNumber;
    }
    int number = assign(id);
    retired.add(number);
    return number;
  }

  /** Whether the number is that of an id's large pool. */
  static boolean isLarge(int number) {
    return (number & 1) != 0;
  }

  /** All numbers are below this one. */
  int end() {
    return 2 * ids.size();
  }
}
