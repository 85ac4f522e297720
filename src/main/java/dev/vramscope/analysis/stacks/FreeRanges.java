package dev.vramscope.analysis.stacks;

import java.util.Map;
import java.util.TreeMap;

/** Disjoint ranges of unsigned addresses, parts of which are taken away. */
final class FreeRanges {
  private final TreeMap<Long, Long> endByStart = new TreeMap<>(Long::compareUnsigned);
  private long bytes;

  /** Adds a range that overlaps no other. */
  void add(long from, long to) {
    endByStart.put(from, to);
    bytes += to - from;
  }

  boolean isEmpty() {
    return bytes == 0;
  }

  /** The sum of all ranges. */
  long bytes() {
    return bytes;
  }

  /** Removes the parts that are in [from, to), and returns their bytes. */
  long take(long from, long to) {
    long takenBytes = 0;
    Map.Entry<Long, Long> below = endByStart.lowerEntry(to);
    while (below != null && Long.compareUnsigned(below.getValue(), from) > 0) {
      long start = below.getKey();
      long end = below.getValue();
      endByStart.remove(start);
      long first = Long.compareUnsigned(start, from) < 0 ? from : start;
      long last = Long.compareUnsigned(end, to) > 0 ? to : end;
      if (start != first) {
        endByStart.put(start, first);
      }
      if (last != end) {
        endByStart.put(last, end);
      }
      takenBytes += last - first;
      below = endByStart.lowerEntry(first);
    }
    bytes -= takenBytes;
    return takenBytes;
  }
}
