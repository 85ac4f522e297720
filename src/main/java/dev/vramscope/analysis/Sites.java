package dev.vramscope.analysis;

import dev.vramscope.analysis.FrameRules.Category;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allocations grouped by site: the innermost frame of the user's code or, in a stack without one,
 * the frame that {@link StackClasses#siteOf} chooses. Allocations without a stack have rows too, so
 * that every column adds up to the device's total. Bytes are requested sizes.
 *
 * @param rows most live bytes first, then most bytes at the peak
 * @param liveBytes of all rows, at the end
 * @param peakBytes of all rows, at the peak
 */
public record Sites(List<Row> rows, long liveBytes, long peakBytes) {
  public Sites {
    rows = List.copyOf(rows);
  }

  public static Sites of(Lifetimes lifetimes, ActiveBytes active, StackClasses stacks) {
    Map<Key, Tally> tallies = new HashMap<>();
    int end = active.eventCount() - 1;
    int peak = active.peakEvent();
    // Stacks repeat, so the site of each is determined once.
    Map<Integer, Key> keys = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      Key key =
          stack == StackTable.NONE
              ? new Key(null, row < lifetimes.liveBeforeCount())
              : keys.computeIfAbsent(stack, known -> Key.of(stacks, known));
      Tally tally = tallies.computeIfAbsent(key, _ -> new Tally());
      tally.add(lifetimes, row, lifetimes.isActiveAt(row, end), lifetimes.isActiveAt(row, peak));
    }
    List<Row> rows = new ArrayList<>();
    tallies.forEach((key, tally) -> rows.add(tally.row(key, stacks)));
    rows.sort(
        Comparator.comparingLong(Row::liveBytes)
            .thenComparingLong(Row::peakBytes)
            .thenComparingLong(Row::totalBytes)
            .reversed()
            .thenComparingInt(Row::stack));
    return new Sites(
        rows,
        rows.stream().mapToLong(Row::liveBytes).sum(),
        rows.stream().mapToLong(Row::peakBytes).sum());
  }

  /**
   * The allocations of one site.
   *
   * @param frame the site, or null when no stack was recorded
   * @param kind the kind of code of the frame; null without a frame
   * @param beforeRecording for a row without a frame: whether the allocations are from before the
   *     recording
   * @param liveBytes active at the end
   * @param liveCount allocations active at the end
   * @param peakBytes active when the device's active bytes were highest
   * @param peakCount allocations active at the peak
   * @param allocationCount all allocations
   * @param totalBytes bytes of all allocations
   * @param neverFreedCount allocations at an event of the trace whose free was never requested
   * @param neverFreedBytes bytes of those
   * @param category the probable use of the memory, the one with the most bytes; a guess
   * @param stack a complete stack of the site, that of its largest allocation; 0 without one
   */
  public record Row(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean beforeRecording,
      long liveBytes,
      long liveCount,
      long peakBytes,
      long peakCount,
      long allocationCount,
      long totalBytes,
      long neverFreedCount,
      long neverFreedBytes,
      Category category,
      int stack) {

    /** Whether an allocation belongs to this row. */
    public boolean isSiteOf(int allocation, Lifetimes lifetimes, StackClasses stacks) {
      int other = lifetimes.stack(allocation);
      return other == StackTable.NONE
          ? stack == StackTable.NONE && beforeRecording == allocation < lifetimes.liveBeforeCount()
          : isSiteOf(other, stacks);
    }

    /** Whether a stack other than {@link StackTable#NONE} belongs to this row. */
    public boolean isSiteOf(int other, StackClasses stacks) {
      return stack != StackTable.NONE
          && stacks.stacks().frameNumber(stacks.siteOf(stack))
              == stacks.stacks().frameNumber(stacks.siteOf(other));
    }

    /** A copy with another frame, such as one with shorter texts. */
    public Row withFrame(@Nullable Frame other) {
      return new Row(
          other,
          kind,
          beforeRecording,
          liveBytes,
          liveCount,
          peakBytes,
          peakCount,
          allocationCount,
          totalBytes,
          neverFreedCount,
          neverFreedBytes,
          category,
          stack);
    }
  }

  /** A frame without its callers, so that all stacks through a line of code share a row. */
  private record Key(@Nullable Integer frameNumber, boolean beforeRecording) {
    static Key of(StackClasses stacks, int stack) {
      return new Key(stacks.stacks().frameNumber(stacks.siteOf(stack)), false);
    }
  }

  private static final class Tally {
    private long liveBytes;
    private long liveCount;
    private long peakBytes;
    private long peakCount;
    private long allocationCount;
    private long totalBytes;
    private long neverFreedCount;
    private long neverFreedBytes;
    private long largestBytes = -1;
    private int largestStack = StackTable.NONE;
    private final Map<Integer, Long> bytesByStack = new HashMap<>();

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
      bytesByStack.merge(lifetimes.stack(row), bytes, Long::sum);
      if (bytes > largestBytes) {
        largestBytes = bytes;
        largestStack = lifetimes.stack(row);
      }
    }

    Row row(Key key, StackClasses stacks) {
      Frame frame = key.frameNumber == null ? null : stacks.stacks().frames().get(key.frameNumber);
      return new Row(
          frame,
          frame == null ? null : stacks.kind(stacks.siteOf(largestStack)),
          key.beforeRecording,
          liveBytes,
          liveCount,
          peakBytes,
          peakCount,
          allocationCount,
          totalBytes,
          neverFreedCount,
          neverFreedBytes,
          category(stacks),
          largestStack);
    }

    private Category category(StackClasses stacks) {
      Map<Category, Long> bytes = new EnumMap<>(Category.class);
      bytesByStack.forEach((stack, sum) -> bytes.merge(stacks.category(stack), sum, Long::sum));
      return bytes.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .orElse(Category.UNKNOWN);
    }
  }
}
