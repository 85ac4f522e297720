package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allocations grouped by site: the innermost frame of the user's code or, in a stack without one,
 * the frame that {@link StackClasses#siteOf} chooses. Allocations without a stack have rows too, so
 * that every column adds up to the device's total. Bytes are requested sizes.
 *
 * @param rows most live bytes first, then most bytes at the peak
 * @param liveBytes of all rows, at the end: active, which includes the bytes that are pending free
 * @param pendingFreeBytes the part of them that is pending free at the end
 * @param peakBytes of all rows, at the peak
 */
public record Sites(List<Row> rows, long liveBytes, long pendingFreeBytes, long peakBytes) {
  public Sites {
    rows = List.copyOf(rows);
  }

  /**
   * Groups the allocations of a device.
   *
   * @param uses of the same allocations
   * @param pendingAddresses the blocks that are pending free in the final state: a trace may have
   *     begun after their free was requested
   */
  public static Sites of(
      Lifetimes lifetimes,
      ActiveBytes active,
      StackClasses stacks,
      Uses uses,
      Set<Long> pendingAddresses) {
    int end = active.eventCount() - 1;
    int peak = active.peakEvent();
    // Arrays, since a file may have a million sites: the frames, then the two rows without a stack.
    int frameCount = stacks.stacks().frames().size();
    @Nullable Tally[] tallies = new @Nullable Tally[frameCount + 2];
    for (int row = 0; row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      boolean isBefore = row < lifetimes.liveBeforeCount();
      int key =
          stack == StackTable.NONE
              ? frameCount + (isBefore ? 1 : 0)
              : stacks.stacks().frameNumber(stacks.siteOf(stack));
      Tally tally = tallies[key];
      if (tally == null) {
        tally = new Tally();
        tallies[key] = tally;
      }
      boolean isLive = lifetimes.isActiveAt(row, end);
      boolean isAtPeak = lifetimes.isActiveAt(row, peak);
      tally.add(uses.use(row), lifetimes.bytes(row), isLive, isAtPeak);
      tally.add(lifetimes, row, isLive, isAtPeak);
      if (isLive
          && (lifetimes.isPendingAt(row, end)
              || pendingAddresses.contains(lifetimes.address(row)))) {
        tally.pendingFreeBytes += lifetimes.bytes(row);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int key = 0; key < tallies.length; key++) {
      Tally tally = tallies[key];
      if (tally != null) {
        rows.add(tally.row(key < frameCount, key > frameCount, stacks));
        tallies[key] = null;
      }
    }
    rows.sort(
        Comparator.comparingLong(Row::liveBytes)
            .thenComparingLong(Row::peakBytes)
            .thenComparingLong(Row::totalBytes)
            .reversed()
            .thenComparingInt(Row::stack));
    return new Sites(
        rows,
        rows.stream().mapToLong(Row::liveBytes).sum(),
        rows.stream().mapToLong(Row::pendingFreeBytes).sum(),
        rows.stream().mapToLong(Row::peakBytes).sum());
  }

  /**
   * The allocations of one site.
   *
   * @param frame the site, or null when no stack was recorded
   * @param kind the kind of code of the frame; null without a frame
   * @param beforeRecording for a row without a frame: whether the allocations are from before the
   *     recording
   * @param live active at the end
   * @param pendingFreeBytes the part of these that is pending free
   * @param peak active when the device's active bytes were highest
   * @param all of the whole recording
   * @param neverFreed allocated at an event of the trace, and their free was never requested
   * @param use that of most of its live bytes, or else of those at the peak, or else of all; an
   *     estimate
   * @param stack a complete stack of the site, that of its largest allocation; 0 without one
   */
  public record Row(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean beforeRecording,
      Allocations live,
      long pendingFreeBytes,
      Allocations peak,
      Allocations all,
      Allocations neverFreed,
      Use use,
      int stack) {

    // The columns of the page.

    public long liveCount() {
      return live.count();
    }

    public long liveBytes() {
      return live.bytes();
    }

    public long peakCount() {
      return peak.count();
    }

    public long peakBytes() {
      return peak.bytes();
    }

    public long totalBytes() {
      return all.bytes();
    }

    public long allocationCount() {
      return all.count();
    }

    public long neverFreedCount() {
      return neverFreed.count();
    }

    public long neverFreedBytes() {
      return neverFreed.bytes();
    }

    /** Whether an allocation belongs to this row. */
    public boolean isSiteOf(int allocation, Lifetimes lifetimes, StackClasses stacks) {
      int other = lifetimes.stack(allocation);
      return other == StackTable.NONE
          ? stack == StackTable.NONE && beforeRecording == allocation < lifetimes.liveBeforeCount()
          : isSiteOf(other, stacks);
    }

    /** The events that allocate or free memory of this row. */
    public BitSet events(Lifetimes lifetimes, StackClasses stacks) {
      BitSet events = new BitSet();
      for (int allocation = 0; allocation < lifetimes.size(); allocation++) {
        if (isSiteOf(allocation, lifetimes, stacks)) {
          set(events, lifetimes.allocationEvent(allocation));
          set(events, lifetimes.freeRequestedEvent(allocation));
          set(events, lifetimes.freeCompletedEvent(allocation));
        }
      }
      return events;
    }

    private static void set(BitSet events, int event) {
      if (event != Lifetimes.BEFORE_RECORDING && event != Lifetimes.NEVER) {
        events.set(event);
      }
    }

    /** Whether a stack other than {@link StackTable#NONE} belongs to this row. */
    public boolean isSiteOf(int other, StackClasses stacks) {
      return stack != StackTable.NONE
          && stacks.stacks().frameNumber(stacks.siteOf(stack))
              == stacks.stacks().frameNumber(stacks.siteOf(other));
    }
  }

  /** Some allocations of a site. */
  public record Allocations(long count, long bytes) {}

  private static final class Tally {
    private long liveBytes;
    private long liveCount;
    private long pendingFreeBytes;
    private long peakBytes;
    private long peakCount;
    private long allocationCount;
    private long totalBytes;
    private long neverFreedCount;
    private long neverFreedBytes;
    private long largestBytes = -1;
    private int largestStack = StackTable.NONE;
    // Most sites have one use; then there are no sums by use.
    private @Nullable Use use;
    private UseBytes @Nullable [] bytesByUse;

    void add(Lifetimes lifetimes, int row, boolean isLive, boolean isAtPeak) {
      long bytes = lifetimes.bytes(row);
      allocationCount++;
      totalBytes += bytes;
      if (isLive) {
        liveCount++;
        liveBytes += bytes;
      }
      if (isAtPeak) {
        peakCount++;
        peakBytes += bytes;
      }
      if (lifetimes.isNeverFreed(row)) {
        neverFreedCount++;
        neverFreedBytes += bytes;
      }
      if (bytes > largestBytes) {
        largestBytes = bytes;
        largestStack = lifetimes.stack(row);
      }
    }

    /** Adds bytes to a use, before they are added to the totals. */
    void add(Use added, long bytes, boolean isLive, boolean isAtPeak) {
      if (use == null) {
        use = added;
      }
      if (bytesByUse == null && added != use) {
        bytesByUse = new UseBytes[Use.values().length];
        Arrays.setAll(bytesByUse, _ -> new UseBytes(0, 0, 0));
        bytesByUse[use.ordinal()] = new UseBytes(liveBytes, peakBytes, totalBytes);
      }
      if (bytesByUse != null) {
        UseBytes before = bytesByUse[added.ordinal()];
        bytesByUse[added.ordinal()] =
            new UseBytes(
                before.live + (isLive ? bytes : 0),
                before.peak + (isAtPeak ? bytes : 0),
                before.total + bytes);
      }
    }

    Row row(boolean hasFrame, boolean beforeRecording, StackClasses stacks) {
      int site = hasFrame ? stacks.siteOf(largestStack) : StackTable.NONE;
      return new Row(
          hasFrame ? stacks.stacks().frame(site) : null,
          hasFrame ? stacks.kind(site) : null,
          beforeRecording,
          new Allocations(liveCount, liveBytes),
          pendingFreeBytes,
          new Allocations(peakCount, peakBytes),
          new Allocations(allocationCount, totalBytes),
          new Allocations(neverFreedCount, neverFreedBytes),
          largestUse(),
          largestStack);
    }

    private Use largestUse() {
      Use largest = use == null ? Use.OTHER : use;
      if (bytesByUse != null) {
        for (Use other : Use.values()) {
          if (bytesByUse[other.ordinal()].compareTo(bytesByUse[largest.ordinal()]) > 0) {
            largest = other;
          }
        }
      }
      return largest;
    }
  }

  /** Bytes of one use at a site. */
  private record UseBytes(long live, long peak, long total) implements Comparable<UseBytes> {
    private static final Comparator<UseBytes> ORDER =
        Comparator.comparingLong(UseBytes::live)
            .thenComparingLong(UseBytes::peak)
            .thenComparingLong(UseBytes::total);

    @Override
    public int compareTo(UseBytes other) {
      return ORDER.compare(this, other);
    }
  }
}
