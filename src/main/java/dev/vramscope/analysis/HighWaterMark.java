package dev.vramscope.analysis;

import java.util.List;

/**
 * The moment of most active bytes, and who held them.
 *
 * @param bytes active (requested size) at the peak
 * @param event the first such moment, or {@link Lifetimes#BEFORE_RECORDING}
 * @param aliveBeforeBytes of those, what was alive before the recording
 * @param recordedOnlyBytes the peak that the events alone would show, without what was alive before
 * @param holders the rows of {@link Lifetimes} with the most bytes then, largest first
 */
public record HighWaterMark(
    long bytes, int event, long aliveBeforeBytes, long recordedOnlyBytes, List<Integer> holders) {
  public HighWaterMark {
    holders = List.copyOf(holders);
  }

  public static HighWaterMark of(Lifetimes lifetimes, ActiveBytes active, int holderCount) {
    return Unbuilt.value();
  }
}
