package dev.vramscope.web.live;

import dev.vramscope.live.workload.WorkloadKind;
import dev.vramscope.live.workload.WorkloadRequest;
import org.jspecify.annotations.Nullable;

/**
 * The form that starts a workload; missing fields have default values.
 *
 * @param steps 0 for no limit
 * @param operationsPerSecond 0 for no limit
 * @param snapshot the snapshot to replay, a value of {@link ReplayChoices}
 * @param problem the error message, or null
 */
record WorkloadForm(
    @Nullable String workload,
    @Nullable Long steps,
    @Nullable Long seed,
    @Nullable Double scale,
    @Nullable Integer operationsPerSecond,
    @Nullable Boolean verify,
    @Nullable Boolean retryAfterOom,
    @Nullable String snapshot,
    @Nullable String problem) {
  private static final long SEED = 1;
  private static final double SCALE = 1;

  /** A rate at which individual events are still visible. */
  private static final int EVENTS_PER_SECOND = 2000;

  static WorkloadForm defaults(String workload, @Nullable String snapshot) {
    return new WorkloadForm(
        workload,
        0L,
        SEED,
        SCALE,
        EVENTS_PER_SECOND,
        /* verify= */ true,
        /* retryAfterOom= */ false,
        snapshot,
        /* problem= */ null);
  }

  private boolean isReplay() {
    return WorkloadKind.REPLAY_SNAPSHOT.id().equals(workload);
  }

  WorkloadForm rejected(String message) {
    return new WorkloadForm(
        workload,
        steps,
        seed,
        scale,
        operationsPerSecond,
        verify,
        retryAfterOom,
        snapshot,
        message);
  }

  /**
   * The request for this form.
   *
   * @throws dev.vramscope.live.workload.InvalidWorkloadException if a value is invalid
   */
  WorkloadRequest request() {
    return new WorkloadRequest(
        workload == null ? "" : workload,
        steps == null ? 0 : steps,
        seed == null ? SEED : seed,
        scale == null ? SCALE : scale,
        operationsPerSecond == null ? 0 : operationsPerSecond,
        Boolean.TRUE.equals(verify),
        Boolean.TRUE.equals(retryAfterOom),
        // The field is hidden for other workloads, and may still contain a snapshot.
        isReplay() && snapshot != null && !snapshot.isBlank()
            ? ReplayChoices.idOf(snapshot)
            : null);
  }
}
