package dev.vramscope.explain;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The different findings of a text, and how often each occurs. All messages are counted. If there
 * are too many different ones, the least important are left out: reports before warnings, warnings
 * before failures, and late ones before early ones, but never the first of a kind.
 *
 * <p>What is left out never becomes important enough again, so the counts of those that are kept
 * are complete.
 */
final class FindingTable {
  /** The most findings that are kept; more processes than that fail in no log. */
  static final int MAX = 200;

  private record Key(FindingKind kind, List<Field> fields) {}

  private static final class Entry {
    private final Finding finding;
    private final long order;
    private final int rank;
    private int line;
    private int times;

    private Entry(Finding finding, long order, int rank) {
      this.finding = finding;
      this.order = order;
      this.rank = rank;
      line = finding.line();
    }

    private Finding counted() {
      return new Finding(finding.kind(), line, times, finding.fields(), finding.process());
    }
  }

  private static final Comparator<Entry> IMPORTANT_FIRST =
      Comparator.<Entry>comparingInt(entry -> entry.rank).thenComparingLong(entry -> entry.order);

  private final Map<Key, Entry> entries = new HashMap<>();
  private final PriorityQueue<Entry> leastImportant =
      new PriorityQueue<>(IMPORTANT_FIRST.reversed());
  private final Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
  private LeftOut leftOut = LeftOut.NONE;
  private long orders;

  /** A number for the next message of the text, in the order in which messages begin. */
  long nextOrder() {
    return orders++;
  }

  /**
   * Counts a message.
   *
   * @param order one of {@link #nextOrder}
   */
  void add(Finding finding, long order) {
    Key key = new Key(finding.kind(), finding.fields());
    Entry known = entries.get(key);
    if (known == null) {
      known = new Entry(finding, order, rank(finding.kind()));
      entries.put(key, known);
      leastImportant.add(known);
    }
    known.times += finding.times();
    known.line = Math.min(known.line, finding.line());
    if (entries.size() > MAX) {
      Entry least = leastImportant.remove();
      entries.remove(new Key(least.finding.kind(), least.finding.fields()));
      leftOut = leftOut.plus(least.finding.kind(), least.times);
    }
  }

  private int rank(FindingKind kind) {
    if (kinds.add(kind)) {
      return 0;
    }
    return kind.isFailure() ? 1 : kind.isWarning() ? 2 : 3;
  }

  LogFindings findings() {
    return new LogFindings(
        entries.values().stream()
            .sorted(
                Comparator.<Entry>comparingInt(entry -> entry.line)
                    .thenComparingLong(entry -> entry.order))
            .map(Entry::counted)
            .toList(),
        leftOut);
  }
}
