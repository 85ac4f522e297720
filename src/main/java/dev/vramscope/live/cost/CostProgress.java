package dev.vramscope.live.cost;

import org.jspecify.annotations.Nullable;

/**
 * How far a measurement has come.
 *
 * @param partsDone those of its parts that are measured
 * @param report the result, once all are
 * @param failure why there will be none, or null
 */
public record CostProgress(
    int partsDone, int partCount, @Nullable CostReport report, @Nullable String failure) {
  public boolean isEnded() {
    return report != null || failure != null;
  }
}
