package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.RangeSites.Amounts;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the allocations of a window by site.
 *
 * <pre>
 *   entries   the rows that are active at the start of the window, then those that it allocates
 *   keys      by entry: its site
 *   lastEnd   by event of the window: the last entry that ends there, or -1
 *   nextEnd   by entry: the entry before it that ends at the same event, or -1
 * </pre>
 *
 * The sweep over the events follows the live bytes of each site. An event that allocates may also
 * end an allocation, one at the same address whose free was not recorded; therefore ends come
 * first, and a new maximum can only follow from an allocation.
 *
 * <p>The time depends on the window and on what is active at its start, not on where it lies.
 */
final class RangeSweep {
  private static final int NONE = -1;

  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final EventWindow window;
  private final int peakEvent;
  private final int frameCount;
  // An array, since a file may have a million sites: the frames, then the two rows without a stack.
  private final @Nullable Tally[] tallies;
  private final int[] activeBefore;
  private final int firstAllocated;
  private final int[] keys;
  private final int[] nextEnd;

  RangeSweep(Lifetimes lifetimes, StackClasses stacks, EventWindow window, int peakEvent) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.window = window;
    this.peakEvent = peakEvent;
    frameCount = stacks.stacks().frames().size();
    tallies = new @Nullable Tally[frameCount + 2];
    activeBefore = lifetimes.activeAt(window.from() - 1);
    firstAllocated = lifetimes.firstAllocatedFrom(window.from());
    int allocated = lifetimes.firstAllocatedFrom(window.to()) - firstAllocated;
    keys = new int[activeBefore.length + allocated];
    nextEnd = new int[keys.length];
  }

  RangeSites run() {
    int[] lastEnd = new int[window.size()];
    Arrays.fill(lastEnd, NONE);
    for (int entry = 0; entry < keys.length; entry++) {
      int row = row(entry);
      keys[entry] = key(row);
      int end = lifetimes.endEvent(row);
      if (end < window.to()) {
        nextEnd[entry] = lastEnd[end - window.from()];
        lastEnd[end - window.from()] = entry;
      }
    }
    for (int entry = 0; entry < activeBefore.length; entry++) {
      tally(entry).addLiveAtStart(lifetimes, activeBefore[entry]);
    }
    if (peakEvent < window.from()) {
      keepPeak();
    }
    int next = activeBefore.length;
    int nextEvent = next < keys.length ? lifetimes.allocationEvent(row(next)) : window.to();
    for (int event = window.from(); event < window.to(); event++) {
      for (int entry = lastEnd[event - window.from()]; entry != NONE; entry = nextEnd[entry]) {
        tally(entry).free(lifetimes.bytes(row(entry)));
      }
      while (nextEvent == event) {
        tally(next).allocate(lifetimes, row(next));
        next++;
        nextEvent = next < keys.length ? lifetimes.allocationEvent(row(next)) : window.to();
      }
      if (event == peakEvent) {
        keepPeak();
      }
    }
    return RangeSites.of(window, peakEvent, rows());
  }

  private int row(int entry) {
    return entry < activeBefore.length
        ? activeBefore[entry]
        : firstAllocated + entry - activeBefore.length;
  }

  private void keepPeak() {
    for (Tally tally : tallies) {
      if (tally != null) {
        tally.atPeakBytes = tally.liveBytes;
      }
    }
  }

  private int key(int row) {
    int stack = lifetimes.stack(row);
    return stack == StackTable.NONE
        ? frameCount + (row < lifetimes.liveBeforeCount() ? 1 : 0)
        : stacks.stacks().frameNumber(stacks.siteOf(stack));
  }

  private Tally tally(int entry) {
    Tally tally = tallies[keys[entry]];
    if (tally == null) {
      tally = new Tally();
      tallies[keys[entry]] = tally;
    }
    return tally;
  }

  private List<RangeSites.Row> rows() {
    List<RangeSites.Row> rows = new ArrayList<>();
    for (int key = 0; key < tallies.length; key++) {
      Tally tally = tallies[key];
      if (tally != null) {
        int site = key < frameCount ? stacks.siteOf(tally.largestStack) : StackTable.NONE;
        rows.add(
            new RangeSites.Row(
                key < frameCount ? stacks.stacks().frame(site) : null,
                key < frameCount ? stacks.kind(site) : null,
                key > frameCount,
                tally.largestStack,
                tally.amounts()));
      }
    }
    return rows;
  }

  private static final class Tally {
    private long allocatedBytes;
    private long allocatedCount;
    private long freedBytes;
    private long freedCount;
    private long liveAtStartBytes;
    private long liveAtStartCount;
    private long liveBytes;
    private long ownPeakBytes;
    private long atPeakBytes;
    private long largestBytes = -1;
    private int largestStack = StackTable.NONE;

    void addLiveAtStart(Lifetimes lifetimes, int row) {
      liveAtStartBytes += lifetimes.bytes(row);
      liveAtStartCount++;
      add(lifetimes, row);
    }

    void allocate(Lifetimes lifetimes, int row) {
      allocatedBytes += lifetimes.bytes(row);
      allocatedCount++;
      add(lifetimes, row);
    }

    private void add(Lifetimes lifetimes, int row) {
      long bytes = lifetimes.bytes(row);
      liveBytes += bytes;
      ownPeakBytes = Math.max(ownPeakBytes, liveBytes);
      if (bytes > largestBytes) {
        largestBytes = bytes;
        largestStack = lifetimes.stack(row);
      }
    }

    void free(long bytes) {
      freedBytes += bytes;
      freedCount++;
      liveBytes -= bytes;
    }

    Amounts amounts() {
      return new Amounts(
          allocatedBytes,
          allocatedCount,
          freedBytes,
          freedCount,
          liveAtStartBytes,
          liveAtStartCount,
          liveBytes,
          liveAtStartCount + allocatedCount - freedCount,
          ownPeakBytes,
          atPeakBytes);
    }
  }
}
