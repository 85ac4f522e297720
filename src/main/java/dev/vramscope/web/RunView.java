package dev.vramscope.web;

import dev.vramscope.live.workload.MemoryVerdict;
import dev.vramscope.live.workload.Mismatch;
import dev.vramscope.live.workload.WorkloadProgress;
import dev.vramscope.live.workload.WorkloadRun;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workload as its page shows it.
 *
 * @param run its numbers
 * @param isRunning whether it can be stopped
 * @param race what the first mismatch means, or null while there is none
 * @param verdict whether the replayed job fits, or null while that is not known
 */
record RunView(
    WorkloadRunView run, boolean isRunning, @Nullable String race, @Nullable String verdict) {
  static RunView of(WorkloadRun run) {
    WorkloadProgress progress = run.progress();
    return new RunView(
        WorkloadRunView.of(run),
        progress.state().isRunning(),
        progress.firstMismatch() == null ? null : race(progress.firstMismatch()),
        progress.verdict() == null ? null : verdict(progress.verdict()));
  }

  private static String race(Mismatch first) {
    DisplayFormat format = new DisplayFormat();
    return "The first was a block of %s at %s: stream %d found %s of another owner at byte %s."
            .formatted(
                format.bytes(first.bytes()),
                format.hex(first.address()),
                first.stream(),
                format.counted(first.words(), "word"),
                format.count(first.offset()))
        + " Memory was handed out again while a stream was still using it.";
  }

  private static String verdict(MemoryVerdict verdict) {
    DisplayFormat format = new DisplayFormat();
    return switch (verdict) {
      case MemoryVerdict.Fits fits ->
          "It fits: %s, at most %s reserved."
              .formatted(
                  format.counted(fits.eventCount(), "event"),
                  format.bytes(fits.peakReservedBytes()));
      case MemoryVerdict.DoesNotFit no
          when no.event() == MemoryVerdict.DoesNotFit.BEFORE_FIRST_EVENT ->
          "It does not fit: the blocks from before the trace do not."
              + " %s failed.".formatted(format.bytes(no.requestedBytes()));
      case MemoryVerdict.DoesNotFit no ->
          "It does not fit: the request for %s at event %s of %s failed."
              .formatted(
                  format.bytes(no.requestedBytes()),
                  format.count(no.event()),
                  format.count(no.eventCount()));
    };
  }
}
