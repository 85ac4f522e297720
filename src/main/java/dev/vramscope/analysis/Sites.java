package dev.vramscope.analysis;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocations grouped by the innermost frame of the user's own code. Those without a stack have
 * rows too, so that every column adds up to the device's total.
 *
 * @param rows most live bytes first, then most bytes at the peak
 * @param liveBytes of all rows, at the end
 * @param peakBytes of all rows, at the peak
 */
public record Sites(List<Row> rows, long liveBytes, long peakBytes) {
  public Sites {
    rows = List.copyOf(rows);
  }

  public static Sites of(
      Lifetimes lifetimes, ActiveBytes active, StackTable stacks, FrameRules rules) {
    return Unbuilt.value();
  }

  /**
   * One site.
   *
   * @param frame the site, or null when no stack was recorded
   * @param kind whose code the frame is; null without a frame
   * @param aliveBefore whether these allocations were made before the recording
   * @param liveBytes active at the end
   * @param liveCount active at the end
   * @param peakBytes active when the device's active bytes were highest
   * @param allocationCount allocations seen
   * @param totalBytes bytes of all allocations seen
   * @param neverFreedCount allocations made during the recording and not freed by its end
   * @param neverFreedBytes bytes of those
   * @param category what it is probably used for (most bytes)
   * @param stack one full stack of the site, that of its largest allocation
   */
  public record Row(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean aliveBefore,
      long liveBytes,
      long liveCount,
      long peakBytes,
      long allocationCount,
      long totalBytes,
      long neverFreedCount,
      long neverFreedBytes,
      FrameRules.Category category,
      int stack) {}
}
