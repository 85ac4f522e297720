package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to the memory of each site in a window of events. Bytes are requested sizes; memory
 * counts until its free is completed, so that for each row and in total live at the start +
 * allocated − freed = live at the end.
 *
 * <p>A window has the moments before its first event and after each of its events. Its peak is the
 * first of them with the most active bytes.
 *
 * @param window the events, within the trace
 * @param peakEvent the event after which the peak is, {@code window.from() - 1} if it is at the
 *     start
 * @param rows the sites with memory in the window, most allocated bytes first
 * @param total the sums of the rows; its own peak is that of the window
 */
public record RangeSites(EventWindow window, int peakEvent, List<Row> rows, Amounts total) {
  public RangeSites {
    rows = List.copyOf(rows);
  }

  /** Groups the allocations that are active at some moment of the window, which is clipped. */
  public static RangeSites of(
      Lifetimes lifetimes, ActiveBytes active, StackClasses stacks, EventWindow requested) {
    EventWindow window = requested.within(active.eventCount());
    return new RangeSweep(lifetimes, stacks, window, peakEvent(active, window)).run();
  }

  private static int peakEvent(ActiveBytes active, EventWindow window) {
    int before = window.from() - 1;
    if (window.size() == 0) {
      return before;
    }
    int event = active.maxEvent(window.from(), window.to());
    return active.at(event) > active.at(before) ? event : before;
  }

  /**
   * Bytes and numbers of allocations.
   *
   * @param ownPeakBytes the most bytes of the site at one moment of the window
   * @param atPeakBytes its bytes at the peak of the window
   */
  public record Amounts(
      long allocatedBytes,
      long allocatedCount,
      long freedBytes,
      long freedCount,
      long liveAtStartBytes,
      long liveAtStartCount,
      long liveAtEndBytes,
      long liveAtEndCount,
      long ownPeakBytes,
      long atPeakBytes) {
    static final Amounts NONE = new Amounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Adds all amounts but the own peak, which is at different moments. */
    Amounts plus(Amounts other) {
      return new Amounts(
          allocatedBytes + other.allocatedBytes,
          allocatedCount + other.allocatedCount,
          freedBytes + other.freedBytes,
          freedCount + other.freedCount,
          liveAtStartBytes + other.liveAtStartBytes,
          liveAtStartCount + other.liveAtStartCount,
          liveAtEndBytes + other.liveAtEndBytes,
          liveAtEndCount + other.liveAtEndCount,
          atPeakBytes + other.atPeakBytes,
          atPeakBytes + other.atPeakBytes);
    }

    /** Growth within the window; negative if more was freed than allocated. */
    public long growthBytes() {
      return liveAtEndBytes - liveAtStartBytes;
    }
  }

  /**
   * One site.
   *
   * @param frame the site, or null when no stack was recorded
   * @param kind the kind of code of the frame; null without a frame
   * @param beforeRecording for a row without a frame: whether the allocations are from before the
   *     recording
   * @param stack a complete stack of the site, that of its largest allocation; 0 without one
   */
  public record Row(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean beforeRecording,
      int stack,
      Amounts amounts) {}

  /** The sums of some rows; their peaks are at one moment, that of the window. */
  public static Amounts sum(List<Row> rows) {
    return rows.stream().map(Row::amounts).reduce(Amounts.NONE, Amounts::plus);
  }

  static RangeSites of(EventWindow window, int peakEvent, List<Row> rows) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(
        Comparator.comparingLong((Row row) -> row.amounts().allocatedBytes())
            .thenComparingLong(row -> row.amounts().ownPeakBytes())
            .reversed()
            .thenComparing(Row::beforeRecording)
            .thenComparingInt(Row::stack));
    return new RangeSites(window, peakEvent, sorted, sum(sorted));
  }
}
