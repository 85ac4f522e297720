package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a run.
 *
 * @param workload the id of a {@link WorkloadKind}
 * @param steps the number of steps; 0 to run until it is stopped or complete
 * @param seed the seed of random sizes
 * @param scale a factor for every size; at 1 a training loop needs 3 to 8 GiB
 * @param operationsPerSecond the maximum rate of allocations and frees; 0 for no limit
 * @param verify whether blocks are filled and checked
 * @param retryAfterOom whether a step that ran out of memory is repeated once with an empty cache
 * @param snapshot the id of the stored snapshot to replay; null for other workloads
 */
public record WorkloadRequest(
    String workload,
    long steps,
    long seed,
    double scale,
    int operationsPerSecond,
    boolean verify,
    boolean retryAfterOom,
    @Nullable String snapshot) {
  private static final double MAX_SCALE = 1000;

  /**
   * Validates a request.
   *
   * @throws InvalidWorkloadException if it is invalid, naming the parameter
   */
  public WorkloadRequest {
    WorkloadKind kind = WorkloadKind.of(workload);
    require("steps", steps >= 0, "steps must be 0 (unlimited) or more, got " + steps);
    require(
        "scale",
        scale > 0 && scale <= MAX_SCALE,
        "scale must be more than 0 and at most " + MAX_SCALE + ", got " + scale);
    require(
        "operationsPerSecond",
        operationsPerSecond >= 0,
        "operationsPerSecond must be 0 (unlimited) or more, got " + operationsPerSecond);
    boolean replays = kind == WorkloadKind.REPLAY_SNAPSHOT;
    require(
        "snapshot",
        replays == (snapshot != null),
        replays
            ? "replay-snapshot needs a snapshot: the id of a stored snapshot"
            : "snapshot is a parameter of the workload replay-snapshot only, not of " + workload);
  }

  /** A run of a workload with verification, at full size and speed, with seed 1. */
  public static WorkloadRequest of(WorkloadKind kind, long steps) {
    return new WorkloadRequest(
        kind.id(), steps, 1, 1, 0, /* verify= */ true, /* retryAfterOom= */ false, null);
  }

  /** A replay of a stored snapshot with verification, at full size and speed. */
  public static WorkloadRequest replaying(String snapshot) {
    return new WorkloadRequest(
        WorkloadKind.REPLAY_SNAPSHOT.id(),
        0,
        1,
        1,
        0,
        /* verify= */ true,
        /* retryAfterOom= */ false,
        snapshot);
  }

  public WorkloadRequest withScale(double other) {
    return new WorkloadRequest(
        workload, steps, seed, other, operationsPerSecond, verify, retryAfterOom, snapshot);
  }

  public WorkloadRequest withOperationsPerSecond(int max) {
    return new WorkloadRequest(workload, steps, seed, scale, max, verify, retryAfterOom, snapshot);
  }

  public WorkloadRequest withRetryAfterOom() {
    return new WorkloadRequest(
        workload,
        steps,
        seed,
        scale,
        operationsPerSecond,
        verify,
        /* retryAfterOom= */ true,
        snapshot);
  }

  public WorkloadKind kind() {
    return WorkloadKind.of(workload);
  }

  private static void require(String parameter, boolean isValid, String message) {
    if (!isValid) {
      throw new InvalidWorkloadException(parameter, message + ".");
    }
  }
}
