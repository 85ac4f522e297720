package dev.vramscope.device.sim;

import dev.vramscope.device.CheckResult;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the memory of a simulated card holds, without holding it: which bytes were last filled with
 * which pattern.
 *
 * <p>The word at address {@code a} of a range filled from address {@code b} on is {@code mix(seed +
 * (a - b) / 8)}; so {@code seed - b / 8}, the fill's <b>phase</b>, says what lies at each address,
 * and two fills of one phase look the same. A stamp is a range of bytes and its phase.
 *
 * <pre>
 *   fill A  ........|aaaaaaaaaaaaaa|.........
 *   fill B  ............|bbbb|...............      stamps do not overlap: the last fill cuts
 *   stamps  ........|aaa||bbbb||aaa|.........      what it finds
 * </pre>
 *
 * <p>Safe for use by several threads.
 */
final class Stamps {
  private record Stamp(long end, long phase) {}

  private final TreeMap<Long, Stamp> byStart = new TreeMap<>();

  synchronized void fill(long address, long bytes, long seed) {
    if (bytes > 0) {
      cut(address, address + bytes);
      byStart.put(address, new Stamp(address + bytes, phase(address, seed)));
    }
  }

  /** From now on nothing is known of this range, as of memory that the device hands out anew. */
  synchronized void forget(long address, long bytes) {
    cut(address, address + bytes);
  }

  synchronized CheckResult compare(long address, long bytes, long seed) {
    long end = address + bytes;
    long phase = phase(address, seed);
    Mismatches mismatches = new Mismatches(address);
    long place = address;
    while (place < end) {
      Map.Entry<Long, Stamp> stamp = byStart.floorEntry(place);
      if (stamp != null && stamp.getValue().end() > place) {
        long to = Math.min(end, stamp.getValue().end());
        if (stamp.getValue().phase() != phase) {
          mismatches.add(place, to);
        }
        place = to;
      } else {
        Long next = byStart.higherKey(place);
        long to = next == null ? end : Math.min(end, next);
        mismatches.add(place, to);
        place = to;
      }
    }
    return mismatches.result();
  }

  /** How many stamps there are. */
  synchronized int size() {
    return byStart.size();
  }

  private static long phase(long address, long seed) {
    return seed - address / Long.BYTES;
  }

  /** Takes the stamps off a range; what sticks out on either side stays. */
  private void cut(long start, long end) {
    Map.Entry<Long, Stamp> before = byStart.lowerEntry(start);
    if (before != null && before.getValue().end() > start) {
      byStart.put(before.getKey(), new Stamp(start, before.getValue().phase()));
      if (before.getValue().end() > end) {
        byStart.put(end, before.getValue());
      }
    }
    Map.Entry<Long, Stamp> last = byStart.lowerEntry(end);
    if (last != null && last.getValue().end() > end) {
      byStart.put(end, last.getValue());
    }
    byStart.subMap(start, end).clear();
  }

  /** Counts words, of which one may differ in several pieces. */
  private static final class Mismatches {
    private final long start;
    private long words;
    private long firstWord = CheckResult.NOWHERE;
    private long lastWord = CheckResult.NOWHERE;

    private Mismatches(long start) {
      this.start = start;
    }

    private void add(long from, long to) {
      long first = Math.max((from - start) / Long.BYTES, lastWord + 1);
      long last = (to - 1 - start) / Long.BYTES;
      if (last >= first) {
        words += last - first + 1;
        lastWord = last;
        firstWord = firstWord == CheckResult.NOWHERE ? first : firstWord;
      }
    }

    private CheckResult result() {
      return words == 0 ? CheckResult.MATCH : new CheckResult(words, firstWord * Long.BYTES);
    }
  }
}
