package dev.vramscope.web;

import dev.vramscope.live.workload.MemoryVerdict;
import dev.vramscope.live.workload.Mismatch;
import dev.vramscope.live.workload.WorkloadProgress;
import dev.vramscope.live.workload.WorkloadRequest;
import dev.vramscope.live.workload.WorkloadRun;
import dev.vramscope.live.workload.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workload in words.
 *
 * @param state one word
 * @param why the reason of a failure, or null
 * @param race what the first mismatch means, or null while there is none
 * @param verdict whether a re-enacted job fits, or null while that is not known
 */
record RunView(
    long id,
    WorkloadRequest request,
    WorkloadProgress progress,
    String state,
    @Nullable String why,
    @Nullable String race,
    @Nullable String verdict) {
  static RunView of(WorkloadRun run) {
    WorkloadProgress progress = run.progress();
    return new RunView(
        run.id(),
        run.request(),
        progress,
        switch (progress.state()) {
          case WorkloadState.Running _ -> "running";
          case WorkloadState.Done _ -> "done";
          case WorkloadState.Stopped _ -> "stopped";
          case WorkloadState.Failed _ -> "failed";
        },
        progress.state() instanceof WorkloadState.Failed(String reason) ? reason : null,
        progress.firstMismatch() == null ? null : race(progress.firstMismatch()),
        progress.verdict() == null ? null : verdict(progress.verdict()));
  }

  public boolean isRunning() {
    return progress.state().isRunning();
  }

  private static String race(Mismatch first) {
    Glass glass = new Glass();
    return "The first was a block of %s at %s: stream %d found %s of another owner at byte %s."
            .formatted(
                glass.bytes(first.bytes()),
                glass.hex(first.address()),
                first.stream(),
                glass.counted(first.words(), "word"),
                glass.count(first.offset()))
        + " Memory was handed out again while a stream was still using it.";
  }

  private static String verdict(MemoryVerdict verdict) {
    Glass glass = new Glass();
    return switch (verdict) {
      case MemoryVerdict.Fits fits ->
          "It fits: %s, at most %s reserved."
              .formatted(
                  glass.counted(fits.eventCount(), "event"), glass.bytes(fits.peakReservedBytes()));
      case MemoryVerdict.DoesNotFit no ->
          "It does not fit: %s asked at event %s of %s failed."
              .formatted(
                  glass.bytes(no.requestedBytes()),
                  glass.count(no.event()),
                  glass.count(no.eventCount()));
    };
  }
}
