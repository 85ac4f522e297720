package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The counters of a run: written by its thread, readable by all threads. */
final class RunCounters {
  private long steps;
  private long allocations;
  private long frees;
  private long filledBytes;
  private long checks;
  private long mismatches;
  private @Nullable Mismatch firstMismatch;
  private long ooms;
  private long oomsRecovered;
  private long bytes;
  private long peakBytes;

  synchronized void step() {
    steps++;
  }

  synchronized void allocated(long requestedBytes) {
    allocations++;
    bytes += requestedBytes;
    peakBytes = Math.max(peakBytes, bytes);
  }

  synchronized void freed(long requestedBytes) {
    frees++;
    bytes -= requestedBytes;
  }

  synchronized void filled(long moreBytes) {
    filledBytes += moreBytes;
  }

  synchronized void checked() {
    checks++;
  }

  synchronized void mismatched(Mismatch mismatch) {
    mismatches++;
    firstMismatch = firstMismatch == null ? mismatch : firstMismatch;
  }

  synchronized void oom() {
    ooms++;
  }

  synchronized void oomRecovered() {
    oomsRecovered++;
  }

  synchronized long steps() {
    return steps;
  }

  synchronized WorkloadProgress progress(
      WorkloadState state, long stepCount, @Nullable MemoryVerdict verdict, long waitedNanos) {
    return new WorkloadProgress(
        state,
        steps,
        stepCount,
        allocations,
        frees,
        filledBytes,
        new WorkloadProgress.Contents(checks, mismatches, firstMismatch),
        ooms,
        oomsRecovered,
        peakBytes,
        TimeUnit.NANOSECONDS.toMillis(waitedNanos),
        verdict);
  }
}
