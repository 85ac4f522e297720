package dev.vramscope.device.sim;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Free ranges of addresses, coalesced. */
final class FreeAddresses {
  /** Start to size. No two are adjacent. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  FreeAddresses(long base, long bytes) {
    ranges.put(base, bytes);
  }

  /** Takes the beginning of the lowest range that is large enough; 0 if there is none. */
  long takeLowest(long bytes) {
    Map.Entry<Long, Long> range = first(ranges, bytes);
    if (range == null) {
      return 0;
    }
    long start = range.getKey();
    long rest = range.getValue() - bytes;
    ranges.remove(start);
    if (rest > 0) {
      ranges.put(start + bytes, rest);
    }
    return start;
  }

  /** Takes the end of the highest range that is large enough; 0 if there is none. */
  long takeHighest(long bytes) {
    Map.Entry<Long, Long> range = first(ranges.descendingMap(), bytes);
    if (range == null) {
      return 0;
    }
    long start = range.getKey();
    long rest = range.getValue() - bytes;
    ranges.remove(start);
    if (rest > 0) {
      ranges.put(start, rest);
    }
    return start + rest;
  }

  /** The first of these ranges, start to size, that is large enough; null if there is none. */
  static Map.@Nullable Entry<Long, Long> first(NavigableMap<Long, Long> ranges, long bytes) {
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      if (range.getValue() >= bytes) {
        return Map.entry(range.getKey(), range.getValue());
      }
    }
    return null;
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
