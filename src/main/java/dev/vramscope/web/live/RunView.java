package dev.vramscope.web.live;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.workload.MemoryVerdict;
import dev.vramscope.live.workload.Mismatch;
import dev.vramscope.live.workload.WorkloadProgress;
import dev.vramscope.live.workload.WorkloadRun;
import dev.vramscope.web.display.DisplayFormat;
import org.jspecify.annotations.Nullable;

/**
 * A workload run in a table row.
 *
 * @param run its state and counters
 * @param isRunning whether it can be stopped
 * @param race explanation of the first mismatch, or null
 * @param verdict whether the replayed job fits, or null while that is not known
 */
record RunView(
    WorkloadRunView run, boolean isRunning, @Nullable String race, @Nullable String verdict) {
  static RunView of(WorkloadRun run, HostedAllocator hosted, IncidentViews incidents) {
    WorkloadProgress progress = run.progress();
    Mismatch mismatch = progress.contents().firstMismatch();
    return new RunView(
        WorkloadRunView.of(run, hosted, incidents),
        progress.state().isRunning(),
        mismatch == null ? null : race(mismatch),
        progress.verdict() == null ? null : verdict(progress.verdict()));
  }

  static String race(Mismatch first) {
    DisplayFormat format = new DisplayFormat();
    return "First mismatch: in the block of %s at %s, stream %d read %s, the first at byte %s."
            .formatted(
                format.bytes(first.bytes()),
                format.hex(first.address()),
                first.stream(),
                format.counted(first.words(), "unexpected 64-bit word"),
                format.count(first.offset()))
        + " Memory was reallocated while a stream was still using it.";
  }

  static String verdict(MemoryVerdict verdict) {
    DisplayFormat format = new DisplayFormat();
    return switch (verdict) {
      case MemoryVerdict.Fits fits ->
          "Fits: %s replayed, peak reserved %s."
              .formatted(
                  format.counted(fits.eventCount(), "event"),
                  format.bytes(fits.peakReservedBytes()));
      case MemoryVerdict.DoesNotFit no
          when no.event() == MemoryVerdict.DoesNotFit.BEFORE_FIRST_EVENT ->
          "Does not fit: blocks allocated before the trace started do not fit."
              + " %s failed.".formatted(format.bytes(no.requestedBytes()));
      case MemoryVerdict.DoesNotFit no ->
          "Does not fit: the request for %s at event %s of %s failed."
              .formatted(
                  format.bytes(no.requestedBytes()),
                  format.count(no.event()),
                  format.count(no.eventCount()));
    };
  }
}
