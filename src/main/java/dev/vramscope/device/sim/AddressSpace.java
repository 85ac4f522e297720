package dev.vramscope.device.sim;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * A range of addresses, handed out lowest first; what is given back is joined again, or never used
 * again.
 */
final class AddressSpace {
  /** Free ranges: start to size. No two of them touch. */
  private final TreeMap<Long, Long> free = new TreeMap<>();

  private final AddressPolicy policy;

  AddressSpace(long base, long bytes, AddressPolicy policy) {
    this.policy = policy;
    free.put(base, bytes);
  }

  /** The lowest free range of that size, or 0. */
  long take(long bytes) {
    Iterator<Map.Entry<Long, Long>> ranges = free.entrySet().iterator();
    while (ranges.hasNext()) {
      Map.Entry<Long, Long> range = ranges.next();
      if (range.getValue() >= bytes) {
        long address = range.getKey();
        long rest = range.getValue() - bytes;
        ranges.remove();
        if (rest > 0) {
          free.put(address + bytes, rest);
        }
        return address;
      }
    }
    return 0;
  }

  void giveBack(long address, long bytes) {
    if (policy == AddressPolicy.BUMP) {
      return;
    }
    long start = address;
    long size = bytes;
    Long after = free.remove(address + bytes);
    if (after != null) {
      size += after;
    }
    Map.Entry<Long, Long> before = free.lowerEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      start = before.getKey();
      size += before.getValue();
    }
    free.put(start, size);
  }
}
