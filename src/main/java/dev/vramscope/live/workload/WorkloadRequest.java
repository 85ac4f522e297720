package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param workload the name of a {@link WorkloadKind}
 * @param steps when to end; 0 for when it is stopped, or has nothing left to do
 * @param seed what sizes are drawn from
 * @param scale multiplies every size; at 1 a training loop needs 3 to 8 GiB
 * @param eventsPerSecond allocations and frees, at most; 0 for as fast as it goes
 * @param verify whether blocks are filled and checked
 * @param retryAfterOom whether a step that found no memory is tried once more with an empty cache
 * @param snapshot the id of the stored snapshot to re-enact; null for the other workloads
 */
public record WorkloadRequest(
    String workload,
    long steps,
    long seed,
    double scale,
    int eventsPerSecond,
    boolean verify,
    boolean retryAfterOom,
    @Nullable String snapshot) {
  private static final double LARGEST_SCALE = 1000;

  /**
   * Reads a request.
   *
   * @throws InvalidWorkloadException if it makes no sense, saying which part
   */
  public WorkloadRequest {
    WorkloadKind kind = WorkloadKind.of(workload);
    require("steps", steps >= 0, "steps is 0 (no end) or more, got " + steps);
    require(
        "scale",
        scale > 0 && scale <= LARGEST_SCALE,
        "scale is more than 0 and at most " + LARGEST_SCALE + ", got " + scale);
    require(
        "eventsPerSecond",
        eventsPerSecond >= 0,
        "eventsPerSecond is 0 (as fast as it goes) or more, got " + eventsPerSecond);
    boolean replays = kind == WorkloadKind.REPLAY_SNAPSHOT;
    require(
        "snapshot",
        replays == (snapshot != null),
        replays
            ? "replay-snapshot needs a snapshot: the id of a stored one"
            : "snapshot is for the workload replay-snapshot only, this is " + workload);
  }

  /** So many steps of a workload, verified, at full size and speed, with seed 1. */
  public static WorkloadRequest of(WorkloadKind kind, long steps) {
    return new WorkloadRequest(kind.id(), steps, 1, 1, 0, true, false, null);
  }

  /** The trace of a stored snapshot, verified, at full size and speed. */
  public static WorkloadRequest replaying(String snapshot) {
    return new WorkloadRequest(
        WorkloadKind.REPLAY_SNAPSHOT.id(), 0, 1, 1, 0, true, false, snapshot);
  }

  public WorkloadRequest withScale(double other) {
    return new WorkloadRequest(
        workload, steps, seed, other, eventsPerSecond, verify, retryAfterOom, snapshot);
  }

  public WorkloadRequest withEventsPerSecond(int most) {
    return new WorkloadRequest(workload, steps, seed, scale, most, verify, retryAfterOom, snapshot);
  }

  public WorkloadRequest withRetryAfterOom() {
    return new WorkloadRequest(
        workload, steps, seed, scale, eventsPerSecond, verify, /* retryAfterOom= */ true, snapshot);
  }

  public WorkloadKind kind() {
    return WorkloadKind.of(workload);
  }

  private static void require(String member, boolean holds, String sentence) {
    if (!holds) {
      throw new InvalidWorkloadException(member, sentence + ".");
    }
  }
}
