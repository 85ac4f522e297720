package dev.vramscope.web;

import dev.vramscope.live.workload.WorkloadRequest;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the form that starts a workload; fields that are missing are as usual.
 *
 * @param steps 0 for no end
 * @param eventsPerSecond 0 for as fast as it goes
 * @param problem why it was refused, or null
 */
record WorkloadForm(
    @Nullable String workload,
    @Nullable Long steps,
    @Nullable Long seed,
    @Nullable Double scale,
    @Nullable Integer eventsPerSecond,
    @Nullable Boolean verify,
    @Nullable Boolean retryAfterOom,
    @Nullable String snapshot,
    @Nullable String problem) {
  private static final long SEED = 1;
  private static final double SCALE = 1;

  /** Slow enough to be watched, fast enough to be alive. */
  private static final int EVENTS_PER_SECOND = 2000;

  static WorkloadForm empty(String workload, @Nullable String snapshot) {
    return new WorkloadForm(
        workload, 0L, SEED, SCALE, EVENTS_PER_SECOND, true, false, snapshot, null);
  }

  WorkloadForm refused(String why) {
    return new WorkloadForm(
        workload, steps, seed, scale, eventsPerSecond, verify, retryAfterOom, snapshot, why);
  }

  /**
   * What is asked for.
   *
   * @throws dev.vramscope.live.workload.InvalidWorkloadException if it makes no sense
   */
  WorkloadRequest request() {
    return new WorkloadRequest(
        workload == null ? "" : workload,
        steps == null ? 0 : steps,
        seed == null ? SEED : seed,
        scale == null ? SCALE : scale,
        eventsPerSecond == null ? 0 : eventsPerSecond,
        Boolean.TRUE.equals(verify),
        Boolean.TRUE.equals(retryAfterOom),
        snapshot == null || snapshot.isBlank() ? null : snapshot.strip());
  }
}
