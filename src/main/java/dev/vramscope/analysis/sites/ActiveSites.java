package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The allocations that are active after an event, grouped by site. The bytes of {@code groups} and
 * {@code others} add up to all of them exactly: at the peak, to the {@link HighWaterMark}.
 *
 * @param groups the largest groups, most bytes first
 * @param others the sum of all other groups, or null if there are none
 * @param otherSiteCount the number of groups in {@code others}
 */
public record ActiveSites(List<Group> groups, @Nullable Group others, int otherSiteCount) {
  public ActiveSites {
    groups = List.copyOf(groups);
  }

  /**
   * Allocations of one site, or of several.
   *
   * @param site the node of the site's frame; {@link StackTable#NONE} without a stack
   * @param beforeRecording whether these are allocations without a stack from before the recording
   * @param count number of allocations, at least 1
   * @param bytes their sum
   * @param smallestBytes the smallest of them
   * @param largestBytes the largest of them
   * @param largestRow the row in {@link Lifetimes} of the first one of that size
   */
  public record Group(
      int site,
      boolean beforeRecording,
      int count,
      long bytes,
      long smallestBytes,
      long largestBytes,
      int largestRow) {

    private Group with(Group other) {
      boolean isLarger = other.largestBytes > largestBytes;
      return new Group(
          site,
          beforeRecording,
          count + other.count,
          bytes + other.bytes,
          Math.min(smallestBytes, other.smallestBytes),
          isLarger ? other.largestBytes : largestBytes,
          isLarger ? other.largestRow : largestRow);
    }
  }

  /** The bytes of the groups and of the others, which add up to the peak. */
  public List<Long> parts() {
    return Stream.concat(groups.stream(), Stream.ofNullable(others)).map(Group::bytes).toList();
  }

  /** Groups the allocations that are active at the peak. */
  public static ActiveSites atPeak(
      Lifetimes lifetimes, ActiveBytes active, StackClasses stacks, int limit) {
    return at(lifetimes, stacks, active.peakEvent(), Long.MAX_VALUE, limit);
  }

  /**
   * Groups the allocations that are active after an event, and sums all but the largest {@code
   * limit} groups.
   *
   * @param belowBytes only allocations with less requested bytes
   */
  public static ActiveSites at(
      Lifetimes lifetimes, StackClasses stacks, int event, long belowBytes, int limit) {
    // By frame; -1 and -2: without a stack, in the recording and before it.
    Map<Integer, Group> byFrame = new HashMap<>();
    for (int row : lifetimes.activeAt(event)) {
      if (lifetimes.bytes(row) < belowBytes) {
        int site = stacks.siteOf(lifetimes.stack(row));
        boolean hasFrame = site != StackTable.NONE;
        boolean isEarlier = !hasFrame && row < lifetimes.liveBeforeCount();
        long bytes = lifetimes.bytes(row);
        byFrame.merge(
            hasFrame ? stacks.stacks().frameNumber(site) : isEarlier ? -2 : -1,
            new Group(site, isEarlier, 1, bytes, bytes, bytes, row),
            Group::with);
      }
    }
    List<Group> sorted =
        byFrame.values().stream()
            .sorted(
                Comparator.comparingLong(Group::bytes)
                    .reversed()
                    .thenComparingInt(Group::largestRow))
            .toList();
    int shownCount = Math.min(limit, sorted.size());
    return new ActiveSites(
        sorted.subList(0, shownCount),
        sorted.stream().skip(shownCount).reduce(Group::with).orElse(null),
        sorted.size() - shownCount);
  }
}
