package dev.vramscope.live.cost;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a measurement.
 *
 * @param partsDone completed parts
 * @param report the result when all parts are complete, else null
 * @param failure why there will be no result, or null
 */
public record CostProgress(
    int partsDone, int partCount, @Nullable CostReport report, @Nullable String failure) {
  public boolean isEnded() {
    return report != null || failure != null;
  }
}
