package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sites whose live bytes grow from step to step: memory that each step keeps.
 *
 * @param rows the most grown bytes first
 * @param sharedStack the innermost frame of the user's code that nearly all grown bytes with a
 *     stack have in common, as a node of the stack table: the place that keeps them, such as the
 *     training loop; {@link StackTable#NONE} if there is none
 */
public record LeakSuspects(List<Row> rows, int sharedStack) {
  private static final int MAX_SITES = 64;
  private static final double LEAST_AGREEMENT = 0.7;
  private static final double SHARED = 0.9;

  public LeakSuspects {
    rows = List.copyOf(rows);
  }

  /**
   * A site.
   *
   * @param frame the site, or null for allocations without a stack
   * @param stack a complete stack of the site, that of its largest allocation; 0 without one
   * @param liveBytes at the start of the last step
   * @param growth over the starts of all steps
   */
  public record Row(@Nullable Frame frame, int stack, long liveBytes, RobustSlope growth) {}

  /** The suspects of a trace; empty if it has too few steps. */
  public static LeakSuspects of(Lifetimes lifetimes, Steps steps, StackClasses stacks) {
    if (steps.startCount() < Steps.LEAST_STARTS) {
      return new LeakSuspects(List.of(), StackTable.NONE);
    }
    Map<Integer, Site> sites = new HashMap<>();
    int last = steps.start(steps.startCount() - 1);
    int first = lifetimes.firstAllocatedFrom(0);
    // Only what is live at the last start can be what grew until then.
    for (int row = first; row < lifetimes.firstAllocatedFrom(last); row++) {
      if (lifetimes.isActiveAt(row, last - 1)) {
        sites
            .computeIfAbsent(site(lifetimes.stack(row), stacks), _ -> new Site())
            .addLast(lifetimes, row);
      }
    }
    List<Site> largest =
        sites.values().stream()
            .sorted(Comparator.comparingLong((Site site) -> -site.lastBytes))
            .limit(MAX_SITES)
            .toList();
    largest.forEach(site -> site.series = new long[steps.startCount()]);
    for (int row = first; row < lifetimes.firstAllocatedFrom(last); row++) {
      int from = firstStartAfter(steps, lifetimes.allocationEvent(row));
      int to = firstStartAfter(steps, lifetimes.endEvent(row));
      if (from < to) {
        Site site = sites.get(site(lifetimes.stack(row), stacks));
        if (site != null && site.series != null) {
          site.series[from] += lifetimes.bytes(row);
          if (to < steps.startCount()) {
            site.series[to] -= lifetimes.bytes(row);
          }
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    for (Site site : largest) {
      RobustSlope growth = site.growth();
      if (growth.grownBytes() > 0 && growth.agreement() >= LEAST_AGREEMENT) {
        rows.add(
            new Row(
                site.stack == StackTable.NONE
                    ? null
                    : stacks.stacks().frame(stacks.siteOf(site.stack)),
                site.stack,
                site.lastBytes,
                growth));
      }
    }
    rows.sort(Comparator.comparingLong(row -> -row.growth().grownBytes()));
    return new LeakSuspects(rows, shared(rows, stacks));
  }

  private static int site(int stack, StackClasses stacks) {
    return stack == StackTable.NONE ? -1 : stacks.stacks().frameNumber(stacks.siteOf(stack));
  }

  /** The number of the first start after an event: those from it on see the event's change. */
  private static int firstStartAfter(Steps steps, int event) {
    int low = 0;
    int high = steps.startCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps.start(middle) <= event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int shared(List<Row> rows, StackClasses stacks) {
    Map<Integer, Long> grown = new HashMap<>();
    long total = 0;
    for (Row row : rows) {
      for (int node = row.stack(); node != StackTable.NONE; node = stacks.stacks().parent(node)) {
        grown.merge(node, row.growth().grownBytes(), Long::sum);
      }
      total += row.frame() == null ? 0 : row.growth().grownBytes();
    }
    int innermost = StackTable.NONE;
    for (Map.Entry<Integer, Long> entry : grown.entrySet()) {
      // A node has a greater id than its parents.
      if (entry.getValue() >= SHARED * total
          && entry.getKey() > innermost
          && stacks.kind(entry.getKey()) == FrameKind.USER) {
        innermost = entry.getKey();
      }
    }
    return innermost;
  }

  private static final class Site {
    private long lastBytes;
    private long largestBytes = -1;
    private int stack = StackTable.NONE;

    /** Changes at each start; only of the sites that are looked at closely. */
    private long @Nullable [] series;

    void addLast(Lifetimes lifetimes, int row) {
      lastBytes += lifetimes.bytes(row);
      if (lifetimes.bytes(row) > largestBytes) {
        largestBytes = lifetimes.bytes(row);
        stack = lifetimes.stack(row);
      }
    }

    RobustSlope growth() {
      long[] live = series == null ? new long[0] : series.clone();
      Arrays.parallelPrefix(live, Long::sum);
      return RobustSlope.of(live);
    }
  }
}
