package dev.vramscope.device.sim;

import java.util.Map;
import java.util.TreeMap;

/** The free ranges of a range of addresses, coalesced. */
final class FreeAddresses {
  /** Start to size. No two are adjacent. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  private final long bytes;

  FreeAddresses(long base, long bytes) {
    this.bytes = bytes;
    ranges.put(base, bytes);
  }

  /** Whether nothing is taken. */
  boolean isWhole() {
    return ranges.size() == 1 && ranges.firstEntry().getValue() == bytes;
  }

  /** Takes the beginning of the lowest range that is large enough; 0 if there is none. */
  long takeLowest(long size) {
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      if (range.getValue() >= size) {
        return take(range.getKey(), range.getValue(), range.getKey(), size);
      }
    }
    return 0;
  }

  /** Takes the end of the highest range that is large enough; 0 if there is none. */
  long takeHighest(long size) {
    for (Map.Entry<Long, Long> range : ranges.descendingMap().entrySet()) {
      if (range.getValue() >= size) {
        long end = range.getKey() + range.getValue();
        return take(range.getKey(), range.getValue(), end - size, size);
      }
    }
    return 0;
  }

  /** Takes a part at either end of a range. */
  private long take(long start, long length, long address, long size) {
    ranges.remove(start);
    if (length > size) {
      ranges.put(address == start ? start + size : start, length - size);
    }
    return address;
  }

  void add(long address, long size) {
    long start = address;
    long length = size;
    Long after = ranges.remove(address + size);
    if (after != null) {
      length += after;
    }
    Map.Entry<Long, Long> before = ranges.lowerEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      start = before.getKey();
      length += before.getValue();
    }
    ranges.put(start, length);
  }
}
