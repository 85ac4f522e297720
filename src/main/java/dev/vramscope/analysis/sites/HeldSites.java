package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who holds the memory after an event: the allocations that are live and not freed by their
 * program, grouped by site. Bytes are requested sizes.
 *
 * @param largest the sites with the most bytes, most first
 * @param bytes of all sites
 * @param otherSiteCount sites that are not in {@code largest}
 */
public record HeldSites(List<Held> largest, long bytes, int otherSiteCount) {
  public HeldSites {
    largest = List.copyOf(largest);
  }

  /**
   * The allocations of one site.
   *
   * @param stack a stack of the site; {@link StackTable#NONE} without one
   * @param isBeforeRecording for allocations without a stack: whether they are older than the
   *     recording
   * @param count number of allocations, at least 1
   */
  public record Held(int stack, boolean isBeforeRecording, long count, long bytes) {}

  /** The largest {@code limit} sites after an event. */
  public static HeldSites at(Lifetimes lifetimes, StackClasses stacks, int event, int limit) {
    // By frame, then the two groups without a stack: allocated in the recording, and before it.
    int frameCount = stacks.stacks().frames().size();
    long[] bytes = new long[frameCount + 2];
    long[] counts = new long[bytes.length];
    int[] examples = new int[bytes.length];
    int end = lifetimes.firstAllocatedFrom(event + 1);
    for (int row = 0; row < end; row++) {
      if (lifetimes.endEvent(row) <= event || lifetimes.freeRequestedEvent(row) <= event) {
        continue;
      }
      int stack = lifetimes.stack(row);
      int key =
          stack == StackTable.NONE
              ? frameCount + (row < lifetimes.liveBeforeCount() ? 1 : 0)
              : stacks.stacks().frameNumber(stacks.siteOf(stack));
      bytes[key] += lifetimes.bytes(row);
      counts[key]++;
      examples[key] = stack;
    }
    long total = 0;
    List<Held> sites = new ArrayList<>();
    for (int key = 0; key < bytes.length; key++) {
      if (counts[key] > 0) {
        total += bytes[key];
        sites.add(new Held(examples[key], key > frameCount, counts[key], bytes[key]));
      }
    }
    sites.sort(Comparator.comparingLong(Held::bytes).reversed().thenComparingInt(Held::stack));
    int shownCount = Math.min(limit, sites.size());
    return new HeldSites(sites.subList(0, shownCount), total, sites.size() - shownCount);
  }
}
