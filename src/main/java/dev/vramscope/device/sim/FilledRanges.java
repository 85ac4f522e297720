package dev.vramscope.device.sim;

import dev.vramscope.device.CheckResult;
import java.util.Map;
import java.util.TreeMap;

/**
 * The contents of simulated memory without its data: which bytes were last filled with which
 * pattern.
 *
 * <p>The word at address {@code a} of a range filled from address {@code b} on is {@code mix(seed +
 * (a - b) / 8)}. So the fill's <b>phase</b>, {@code seed - b / 8}, determines the contents at each
 * address, and two fills with the same phase write the same bytes.
 *
 * <pre>
 *   fill A  ........|aaaaaaaaaaaaaa|.........
 *   fill B  ............|bbbb|...............      ranges do not overlap: a fill replaces
 *   ranges  ........|aaa||bbbb||aaa|.........      the part of other ranges that it covers
 * </pre>
 *
 * <p>Thread-safe.
 */
final class FilledRanges {
  private record FilledRange(long end, long phase) {}

  private final TreeMap<Long, FilledRange> byStart = new TreeMap<>();

  synchronized void fill(long address, long bytes, long seed) {
    if (bytes > 0) {
      remove(address, address + bytes);
      byStart.put(address, new FilledRange(address + bytes, phase(address, seed)));
    }
  }

  /** Copies the contents of a range to another one that does not overlap it. */
  synchronized void copy(long from, long to, long bytes) {
    remove(to, to + bytes);
    long position = from;
    long end = from + bytes;
    long distance = to - from;
    while (position < end) {
      Map.Entry<Long, FilledRange> range = byStart.floorEntry(position);
      if (range != null && range.getValue().end() > position) {
        long rangeEnd = Math.min(end, range.getValue().end());
        long phase = range.getValue().phase() - distance / Long.BYTES;
        byStart.put(position + distance, new FilledRange(rangeEnd + distance, phase));
        position = rangeEnd;
      } else {
        Long next = byStart.higherKey(position);
        position = next == null ? end : Math.min(end, next);
      }
    }
  }

  /** Discards the contents of a range: newly allocated memory has unknown contents. */
  synchronized void discard(long address, long bytes) {
    remove(address, address + bytes);
  }

  synchronized CheckResult compare(long address, long bytes, long seed) {
    long end = address + bytes;
    long phase = phase(address, seed);
    Mismatches mismatches = new Mismatches(address);
    long position = address;
    while (position < end) {
      Map.Entry<Long, FilledRange> range = byStart.floorEntry(position);
      if (range != null && range.getValue().end() > position) {
        long to = Math.min(end, range.getValue().end());
        if (range.getValue().phase() != phase) {
          mismatches.add(position, to);
        }
        position = to;
      } else {
        Long next = byStart.higherKey(position);
        long to = next == null ? end : Math.min(end, next);
        mismatches.add(position, to);
        position = to;
      }
    }
    return mismatches.result();
  }

  /** The number of ranges. */
  synchronized int size() {
    return byStart.size();
  }

  private static long phase(long address, long seed) {
    return seed - address / Long.BYTES;
  }

  /** Removes a range of addresses; parts of ranges on either side of it stay. */
  private void remove(long start, long end) {
    Map.Entry<Long, FilledRange> before = byStart.lowerEntry(start);
    if (before != null && before.getValue().end() > start) {
      byStart.put(before.getKey(), new FilledRange(start, before.getValue().phase()));
      if (before.getValue().end() > end) {
        byStart.put(end, before.getValue());
      }
    }
    Map.Entry<Long, FilledRange> last = byStart.lowerEntry(end);
    if (last != null && last.getValue().end() > end) {
      byStart.put(end, last.getValue());
    }
    byStart.subMap(start, end).clear();
  }

  /** Counts words; several mismatches within one word count once. */
  private static final class Mismatches {
    private final long start;
    private long words;
    private long firstWord = CheckResult.NONE;
    private long lastWord = CheckResult.NONE;

    private Mismatches(long start) {
      this.start = start;
    }

    private void add(long from, long to) {
      long first = Math.max((from - start) / Long.BYTES, lastWord + 1);
      long last = (to - 1 - start) / Long.BYTES;
      if (last >= first) {
        words += last - first + 1;
        lastWord = last;
        firstWord = firstWord == CheckResult.NONE ? first : firstWord;
      }
    }

    private CheckResult result() {
      return words == 0 ? CheckResult.MATCH : new CheckResult(words, firstWord * Long.BYTES);
    }
  }
}
