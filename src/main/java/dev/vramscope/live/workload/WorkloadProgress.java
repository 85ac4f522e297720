package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a run.
 *
 * @param steps completed steps
 * @param stepCount all steps, or 0 if unlimited
 * @param filledBytes bytes of the blocks that were filled
 * @param contents the checks of what the blocks contain
 * @param ooms requests that ran out of memory
 * @param oomsRecovered requests after which the step succeeded with an empty cache
 * @param peakBytes the peak of the bytes requested by this run
 * @param waitedForCoreMillis the time that the run waited while others used the cores for workloads
 * @param verdict whether the replayed job fits, when that is known
 */
public record WorkloadProgress(
    WorkloadState state,
    long steps,
    long stepCount,
    long allocations,
    long frees,
    long filledBytes,
    Contents contents,
    long ooms,
    long oomsRecovered,
    long peakBytes,
    long waitedForCoreMillis,
    @Nullable MemoryVerdict verdict) {
  /**
   * The checks of what blocks contain.
   *
   * @param checks blocks that were checked
   * @param mismatches blocks whose content differed from their pattern
   * @param firstMismatch the first of them, or null
   */
  public record Contents(long checks, long mismatches, @Nullable Mismatch firstMismatch) {}
}
