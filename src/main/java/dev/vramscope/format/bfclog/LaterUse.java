package dev.vramscope.format.bfclog;

import java.util.Map;
import java.util.TreeMap;

/**
 * When memory is used again, for a log that is read backwards: the earliest later row at which an
 * allocation lies on some address. Ranges do not overlap; a new one covers those below it.
 */
final class LaterUse {
  /** Memory that is not used again. */
  static final int NEVER = Integer.MAX_VALUE;

  private record Range(long end, int row) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  /** The earliest row that uses a byte of a range. */
  int first(long from, long to) {
    int first = NEVER;
    Map.Entry<Long, Range> before = ranges.floorEntry(from);
    if (before != null && before.getValue().end() > from) {
      first = before.getValue().row();
    }
    for (Range range : ranges.subMap(from, to).values()) {
      first = Math.min(first, range.row());
    }
    return first;
  }

  /** A row before all others uses a range. */
  void use(long from, long to, int row) {
    Map.Entry<Long, Range> before = ranges.lowerEntry(from);
    if (before != null && before.getValue().end() > from) {
      Range old = before.getValue();
      ranges.put(before.getKey(), new Range(from, old.row()));
      if (old.end() > to) {
        ranges.put(to, old);
      }
    }
    Map.Entry<Long, Range> next = ranges.ceilingEntry(from);
    while (next != null && next.getKey() < to) {
      ranges.remove(next.getKey());
      if (next.getValue().end() > to) {
        ranges.put(to, next.getValue());
      }
      next = ranges.ceilingEntry(from);
    }
    ranges.put(from, new Range(to, row));
  }
}
