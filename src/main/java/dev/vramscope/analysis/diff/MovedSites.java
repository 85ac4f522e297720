package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sites whose line number differs because lines were added or removed above them. A site has moved
 * if its function and file have exactly one site that only the first snapshot has and one that only
 * the second has, and no common site lies between the two lines, since code keeps its order.
 */
final class MovedSites {
  private final CommonFrames frames;
  private final DeviceMoment before;
  private final DeviceMoment after;
  private final int[] beforeSites;
  private final int[] afterSites;
  private final int[] movedTo;

  private MovedSites(DeviceMoment before, DeviceMoment after, CommonFrames frames) {
    this.frames = frames;
    this.before = before;
    this.after = after;
    movedTo = new int[frames.count()];
    Arrays.setAll(movedTo, number -> number);
    beforeSites = new int[frames.count()];
    afterSites = new int[frames.count()];
    Arrays.fill(beforeSites, StackTable.NONE);
    Arrays.fill(afterSites, StackTable.NONE);
  }

  /** By number of {@link CommonFrames} that of the same site before it moved, or itself. */
  static int[] of(DeviceMoment before, DeviceMoment after, CommonFrames frames) {
    MovedSites moved = new MovedSites(before, after, frames);
    boolean isSameTable = before.stacks().stacks() == after.stacks().stacks();
    if (!isSameTable && frames.count() <= CommonFrames.MAX_UNITED) {
      moved.findSites();
      moved.match(2);
      moved.match(1);
    }
    return moved.movedTo;
  }

  /** A node of each site, of all allocations: a site without active ones has not moved either. */
  private void findSites() {
    StackClasses first = before.stacks();
    for (int site : sites(before.lifetimes(), first)) {
      beforeSites[frames.before(first.stacks().frameNumber(site))] = site;
    }
    StackClasses second = after.stacks();
    for (int site : sites(after.lifetimes(), second)) {
      afterSites[frames.after(second.stacks().frameNumber(site))] = site;
    }
  }

  private static int[] sites(Lifetimes lifetimes, StackClasses stacks) {
    boolean[] isSite = new boolean[stacks.stacks().nodeCount()];
    for (int row = 0; row < lifetimes.size(); row++) {
      isSite[stacks.siteOf(lifetimes.stack(row))] = true;
    }
    int count = 0;
    int[] sites = new int[isSite.length];
    for (int node = 1; node < isSite.length; node++) {
      if (isSite[node]) {
        sites[count++] = node;
      }
    }
    return Arrays.copyOf(sites, count);
  }

  private void match(int components) {
    Pairs pairs = new Pairs();
    Map<SourcePlace, List<int[]>> common = new HashMap<>();
    for (int number = 0; number < movedTo.length; number++) {
      boolean isBefore = beforeSites[number] != StackTable.NONE;
      boolean isAfter = afterSites[number] != StackTable.NONE;
      if (isBefore && isAfter) {
        Frame frame = frameBefore(number);
        int[] lines = {frame.line(), frameAfter(number).line()};
        common.computeIfAbsent(function(frame, components), _ -> new ArrayList<>()).add(lines);
      } else if (isBefore) {
        pairs.addBefore(function(frameBefore(number), components), number);
      } else if (isAfter) {
        pairs.addAfter(function(frameAfter(number), components), number);
      }
    }
    pairs.forEach(
        (function, first, second) -> {
          if (keepsOrder(
              frameBefore(first).line(),
              frameAfter(second).line(),
              common.getOrDefault(function, List.of()))) {
            movedTo[second] = first;
            afterSites[first] = afterSites[second];
            afterSites[second] = StackTable.NONE;
          }
        });
  }

  private static boolean keepsOrder(int lineBefore, int lineAfter, List<int[]> common) {
    return lineBefore > 0
        && lineAfter > 0
        && common.stream()
            .allMatch(
                lines ->
                    Integer.compare(lineBefore, lines[0]) == Integer.compare(lineAfter, lines[1]));
  }

  private static SourcePlace function(Frame frame, int components) {
    return SourcePlace.of(frame, components, SourcePlace.ANY_LINE);
  }

  private Frame frameBefore(int number) {
    return before.stacks().stacks().frame(beforeSites[number]);
  }

  private Frame frameAfter(int number) {
    return after.stacks().stacks().frame(afterSites[number]);
  }
}
