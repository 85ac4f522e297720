package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * What a run has done so far.
 *
 * @param steps those finished
 * @param stepCount those there are, or 0 for no end
 * @param filledBytes bytes of the blocks that were filled
 * @param checks blocks that were compared
 * @param mismatches blocks that held something else than they should
 * @param firstMismatch the first of them, or null
 * @param ooms requests that failed for want of memory
 * @param oomsRecovered those after which the step went well with an empty cache
 * @param peakBytes the most that this run had asked for at one time
 * @param verdict whether a re-enacted job fits, once that is known
 */
public record WorkloadProgress(
    WorkloadState state,
    long steps,
    long stepCount,
    long allocations,
    long frees,
    long filledBytes,
    long checks,
    long mismatches,
    @Nullable Mismatch firstMismatch,
    long ooms,
    long oomsRecovered,
    long peakBytes,
    @Nullable MemoryVerdict verdict) {}
