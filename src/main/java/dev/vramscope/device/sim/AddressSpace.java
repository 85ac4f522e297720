package dev.vramscope.device.sim;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * A range of addresses, allocated lowest first. Freed ranges are coalesced, or never reused,
 * depending on the {@link AddressPolicy}.
 */
final class AddressSpace {
  /** Free ranges: start to size. No two are adjacent. */
  private final TreeMap<Long, Long> freeRanges = new TreeMap<>();

  private final AddressPolicy policy;

  AddressSpace(long base, long bytes, AddressPolicy policy) {
    this.policy = policy;
    freeRanges.put(base, bytes);
  }

  /** Allocates the lowest free range that is large enough; 0 if there is none. */
  long allocate(long bytes) {
    Iterator<Map.Entry<Long, Long>> ranges = freeRanges.entrySet().iterator();
    while (ranges.hasNext()) {
      Map.Entry<Long, Long> range = ranges.next();
      if (range.getValue() >= bytes) {
        long address = range.getKey();
        long rest = range.getValue() - bytes;
        ranges.remove();
        if (rest > 0) {
          freeRanges.put(address + bytes, rest);
        }
        return address;
      }
    }
    return 0;
  }

  void free(long address, long bytes) {
    if (policy == AddressPolicy.BUMP) {
      return;
    }
    long start = address;
    long size = bytes;
    Long after = freeRanges.remove(address + bytes);
    if (after != null) {
      size += after;
    }
    Map.Entry<Long, Long> before = freeRanges.lowerEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      start = before.getKey();
      size += before.getValue();
    }
    freeRanges.put(start, size);
  }
}
