package dev.vramscope.analysis;

import dev.vramscope.analysis.RangeSites.Amounts;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the allocations of a window by site.
 *
 * <pre>
 *   rows before the window, active at its start   live at the start
 *   rows of the window, in event order            allocated
 *   endsAt[firstEnd[e] .. firstEnd[e + 1])        rows that end at event e of the window
 * </pre>
 *
 * The sweep over the events follows the live bytes of each site. An event that allocates may also
 * end an allocation, one at the same address whose free was not recorded; therefore ends come
 * first, and a new maximum can only follow from an allocation.
 */
final class RangeSweep {
  private final Lifetimes lifetimes;
  private final StackClasses stacks;
  private final EventWindow window;
  private final int peakEvent;
  private final int frameCount;
  // An array, since a file may have a million sites: the frames, then the two rows without a stack.
  private final @Nullable Tally[] tallies;
  private final int firstAllocated;
  private final int lastAllocated;

  RangeSweep(Lifetimes lifetimes, StackClasses stacks, EventWindow window, int peakEvent) {
    this.lifetimes = lifetimes;
    this.stacks = stacks;
    this.window = window;
    this.peakEvent = peakEvent;
    frameCount = stacks.stacks().frames().size();
    tallies = new @Nullable Tally[frameCount + 2];
    firstAllocated = lifetimes.firstAllocatedFrom(window.from());
    lastAllocated = lifetimes.firstAllocatedFrom(window.to());
  }

  RangeSites run() {
    int[] firstEnd = new int[window.size() + 1];
    for (int row = 0; row < lastAllocated; row++) {
      int end = lifetimes.endEvent(row);
      if (row < firstAllocated && end >= window.from()) {
        tally(row).addLiveAtStart(lifetimes, row);
      }
      if (isInWindow(end)) {
        firstEnd[end - window.from() + 1]++;
      }
    }
    for (int event = 0; event < window.size(); event++) {
      firstEnd[event + 1] += firstEnd[event];
    }
    int[] endsAt = new int[firstEnd[window.size()]];
    int[] cursor = firstEnd.clone();
    for (int row = 0; row < lastAllocated; row++) {
      int end = lifetimes.endEvent(row);
      if (isInWindow(end)) {
        endsAt[cursor[end - window.from()]++] = row;
      }
    }
    if (peakEvent < window.from()) {
      keepPeak();
    }
    int next = firstAllocated;
    for (int event = window.from(); event < window.to(); event++) {
      int index = event - window.from();
      for (int i = firstEnd[index]; i < firstEnd[index + 1]; i++) {
        tally(endsAt[i]).free(lifetimes.bytes(endsAt[i]));
      }
      for (; next < lastAllocated && lifetimes.allocationEvent(next) == event; next++) {
        tally(next).allocate(lifetimes, next);
      }
      if (event == peakEvent) {
        keepPeak();
      }
    }
    return RangeSites.of(window, peakEvent, rows());
  }

  private boolean isInWindow(int event) {
    return event >= window.from() && event < window.to();
  }

  private void keepPeak() {
    for (Tally tally : tallies) {
      if (tally != null) {
        tally.atPeakBytes = tally.liveBytes;
      }
    }
  }

  private Tally tally(int row) {
    int stack = lifetimes.stack(row);
    int key =
        stack == StackTable.NONE
            ? frameCount + (row < lifetimes.liveBeforeCount() ? 1 : 0)
            : stacks.stacks().frameNumber(stacks.siteOf(stack));
    Tally tally = tallies[key];
    if (tally == null) {
      tally = new Tally();
      tallies[key] = tally;
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
