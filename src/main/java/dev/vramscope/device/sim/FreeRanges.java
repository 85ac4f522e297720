package dev.vramscope.device.sim;

import java.util.Map;
import java.util.TreeMap;

/** Free ranges of addresses, coalesced. */
final class FreeRanges {
  /** Start to size. No two are adjacent. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  FreeRanges(long base, long bytes) {
    ranges.put(base, bytes);
  }

  /** Takes the beginning of the lowest range that is large enough; 0 if there is none. */
  long takeLowest(long bytes) {
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      if (range.getValue() >= bytes) {
        long address = range.getKey();
        long rest = range.getValue() - bytes;
        ranges.remove(address);
        if (rest > 0) {
          ranges.put(address + bytes, rest);
        }
        return address;
      }
    }
    return 0;
  }

  /** Takes the end of the highest range that is large enough; 0 if there is none. */
  long takeHighest(long bytes) {
    for (Map.Entry<Long, Long> range : ranges.descendingMap().entrySet()) {
      if (range.getValue() >= bytes) {
        long start = range.getKey();
        long rest = range.getValue() - bytes;
        if (rest > 0) {
          ranges.put(start, rest);
        } else {
          ranges.remove(start);
        }
        return start + rest;
      }
    }
    return 0;
  }

  void add(long address, long bytes) {
    long start = address;
    long size = bytes;
    Long after = ranges.remove(address + bytes);
    if (after != null) {
      size += after;
    }
    Map.Entry<Long, Long> before = ranges.lowerEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      start = before.getKey();
      size += before.getValue();
    }
    ranges.put(start, size);
  }
}
