package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;

/**
 * Allocations of one site.
 *
 * @param count all that satisfy the condition
 * @param bytes the sum of their requested bytes
 * @param rows the rows in {@link Lifetimes} of the largest ones, largest first
 */
public record SiteAllocations(int count, long bytes, List<Integer> rows) {
  public SiteAllocations {
    rows = List.copyOf(rows);
  }

  /** Finds the allocations of a site that satisfy a condition on their rows. */
  public static SiteAllocations of(
      Sites.Row site, Lifetimes lifetimes, StackClasses stacks, IntPredicate condition, int limit) {
    int count = 0;
    long bytes = 0;
    Comparator<Integer> smallestFirst =
        Comparator.<Integer>comparingLong(lifetimes::bytes)
            .thenComparing(Comparator.reverseOrder());
    PriorityQueue<Integer> largest = new PriorityQueue<>(smallestFirst);
    for (int row = 0; row < lifetimes.size(); row++) {
      if (condition.test(row) && site.isSiteOf(row, lifetimes, stacks)) {
        count++;
        bytes += lifetimes.bytes(row);
        largest.add(row);
        if (largest.size() > limit) {
          largest.remove();
        }
      }
    }
    List<Integer> rows = new ArrayList<>(largest);
    rows.sort(smallestFirst.reversed());
    return new SiteAllocations(count, bytes, rows);
  }
}
