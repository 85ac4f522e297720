package dev.vramscope.analysis.lifetimes;

import dev.vramscope.analysis.sites.ActiveSites;
import dev.vramscope.model.SizeRules;

/**
 * The peak of the active bytes (requested size). {@link ActiveSites} has the allocations.
 *
 * @param bytes active at the peak
 * @param event the first event with this many bytes, or {@link Lifetimes#BEFORE_RECORDING}
 * @param liveBeforeBytes the part of them that was live before the recording
 * @param recordedOnlyBytes the peak that the events alone would show, without the allocations that
 *     were live before
 * @param allocationCount allocations active at the peak
 */
public record HighWaterMark(
    long bytes, int event, long liveBeforeBytes, long recordedOnlyBytes, int allocationCount) {

  /** Finds the peak. */
  public static HighWaterMark of(Lifetimes lifetimes, ActiveBytes active) {
    int event = active.peakEvent();
    long liveBefore = 0;
    int count = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, event)) {
        count++;
        liveBefore += row < lifetimes.liveBeforeCount() ? lifetimes.bytes(row) : 0;
      }
    }
    return new HighWaterMark(
        active.peakBytes(), event, liveBefore, recordedOnlyPeak(lifetimes, active), count);
  }

  /**
   * The block sizes at the peak: those of the final state, or for blocks that are not in it, those
   * that {@link SizeRules} gives. {@code bytes} are the requested bytes of the same allocations.
   */
  public long allocatedBytes(Lifetimes lifetimes, SizeRules sizes) {
    long allocated = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, event)) {
        allocated += lifetimes.allocatedBytes(row, sizes);
      }
    }
    return allocated;
  }

  private static long recordedOnlyPeak(Lifetimes lifetimes, ActiveBytes active) {
    long liveBefore = active.baselineBytes();
    long[] ended = new long[active.eventCount()];
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      if (lifetimes.endEvent(row) != Lifetimes.NEVER) {
        ended[lifetimes.endEvent(row)] += lifetimes.bytes(row);
      }
    }
    long peak = 0;
    for (int event = 0; event < ended.length; event++) {
      liveBefore -= ended[event];
      peak = Math.max(peak, active.at(event) - liveBefore);
    }
    return peak;
  }
}
