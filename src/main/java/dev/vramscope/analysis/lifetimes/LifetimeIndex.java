package dev.vramscope.analysis.lifetimes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Finds the allocations that are active at an event without looking at those that have ended: the
 * latest end of every 16, 256, 4096, … rows of {@link Lifetimes}.
 *
 * <pre>
 *   level 1   [ latest end of 256 rows | …
 *   level 0   [ of 16 | of 16 | of 16 | …      4/16 byte of heap a row; all levels together 4/15
 * </pre>
 */
public final class LifetimeIndex {
  private static final int SHIFT = 4;

  private final Lifetimes lifetimes;
  private final List<int[]> latestEnds = new ArrayList<>();

  private LifetimeIndex(Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
    int[] level = new int[(lifetimes.size() >> SHIFT) + 1];
    for (int row = 0; row < lifetimes.size(); row++) {
      level[row >> SHIFT] = Math.max(level[row >> SHIFT], lifetimes.endEvent(row));
    }
    latestEnds.add(level);
    while (level.length > 1) {
      int[] next = new int[((level.length - 1) >> SHIFT) + 1];
      for (int i = 0; i < level.length; i++) {
        next[i >> SHIFT] = Math.max(next[i >> SHIFT], level[i]);
      }
      latestEnds.add(next);
      level = next;
    }
  }

  public static LifetimeIndex of(Lifetimes lifetimes) {
    return new LifetimeIndex(lifetimes);
  }

  public Lifetimes lifetimes() {
    return lifetimes;
  }

  /** Visits the rows from {@code first} to {@code limit} (exclusive) that end after an event. */
  public void endingAfter(int first, int limit, int event, IntConsumer visitor) {
    if (first < limit) {
      visit(latestEnds.size() - 1, 0, first, limit, event, visitor);
    }
  }

  private void visit(int level, int node, int first, int limit, int event, IntConsumer visitor) {
    int rowShift = (level + 1) * SHIFT;
    long start = (long) node << rowShift;
    long end = (node + 1L) << rowShift;
    if (start >= limit || end <= first || latestEnds.get(level)[node] <= event) {
      return;
    }
    if (level == 0) {
      for (int row = (int) Math.max(start, first); row < Math.min(end, limit); row++) {
        if (lifetimes.endEvent(row) > event) {
          visitor.accept(row);
        }
      }
      return;
    }
    int last = Math.min(latestEnds.get(level - 1).length, (node + 1) << SHIFT);
    for (int child = node << SHIFT; child < last; child++) {
      visit(level - 1, child, first, limit, event, visitor);
    }
  }
}
