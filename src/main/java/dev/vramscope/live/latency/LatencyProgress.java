package dev.vramscope.live.latency;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a measurement.
 *
 * @param partsDone completed parts
 * @param report the result when all parts are complete, else null
 * @param failure why there will be no result, or null
 */
public record LatencyProgress(
    int partsDone, int partCount, @Nullable LatencyReport report, @Nullable String failure) {
  public boolean isEnded() {
    return report != null || failure != null;
  }
}
