package dev.vramscope.web.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.Incident;
import dev.vramscope.live.workload.MemoryVerdict;
import dev.vramscope.live.workload.Mismatch;
import dev.vramscope.live.workload.WorkloadProgress;
import dev.vramscope.live.workload.WorkloadRequest;
import dev.vramscope.live.workload.WorkloadRun;
import dev.vramscope.live.workload.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * A workload run in JSON.
 *
 * @param state {@code running}, {@code done}, {@code stopped} or {@code failed}
 * @param failure the error message, or null
 * @param incident the failed request that ended the run, or null
 * @param stepCount number of steps, 0 for no limit
 * @param partialChecks whether only both ends of a block are checked
 * @param mismatches blocks with unexpected contents
 * @param waitedForCoreMillis time in which other workloads used all cores that workloads may use
 * @param fits whether the replayed job fits the device, or null while that is not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record WorkloadRunView(
    long id,
    WorkloadRequest request,
    String state,
    @Nullable String failure,
    @Nullable IncidentView incident,
    long steps,
    long stepCount,
    long allocations,
    long frees,
    long filledBytes,
    long checks,
    boolean partialChecks,
    long mismatches,
    @Nullable MismatchView firstMismatch,
    long ooms,
    long oomsRecovered,
    long peakBytes,
    long waitedForCoreMillis,
    @Nullable Boolean fits,
    @Nullable MemoryVerdict verdict) {

  /** The first block with unexpected contents; handle and address in hex. */
  record MismatchView(
      String block, String address, long bytes, int stream, long offset, long words) {
    static MismatchView of(Mismatch mismatch) {
      return new MismatchView(
          "0x" + Long.toHexString(mismatch.block()),
          "0x" + Long.toHexString(mismatch.address()),
          mismatch.bytes(),
          mismatch.stream(),
          mismatch.offset(),
          mismatch.words());
    }
  }

  static WorkloadRunView of(WorkloadRun run, HostedAllocator hosted, IncidentViews incidents) {
    WorkloadProgress progress = run.progress();
    Mismatch mismatch = progress.contents().firstMismatch();
    MemoryVerdict verdict = progress.verdict();
    return new WorkloadRunView(
        run.id(),
        run.request(),
        progress.state().id(),
        progress.state() instanceof WorkloadState.Failed(String reason) ? reason : null,
        incident(run, hosted, incidents),
        progress.steps(),
        progress.stepCount(),
        progress.allocations(),
        progress.frees(),
        progress.filledBytes(),
        progress.contents().checks(),
        run.partialChecks(),
        progress.contents().mismatches(),
        mismatch == null ? null : MismatchView.of(mismatch),
        progress.ooms(),
        progress.oomsRecovered(),
        progress.peakBytes(),
        progress.waitedForCoreMillis(),
        verdict == null ? null : verdict instanceof MemoryVerdict.Fits,
        verdict);
  }

  private static @Nullable IncidentView incident(
      WorkloadRun run, HostedAllocator hosted, IncidentViews incidents) {
    if (!(run.incident() instanceof Incident.OutOfMemory ended)) {
      return null;
    }
    // The allocator's list also has the snapshots that were stored after the run had ended.
    return incidents.of(hosted.incidentOf(ended.failure()).orElse(ended), hosted);
  }
}
