package dev.vramscope.plan;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.FindingKind;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.RecordedSettings;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * A recording of a program at some values of its parameters. Immutable.
 *
 * @param name of the file or snapshot, for messages
 * @param run the recorded requests
 * @param placed the same to be replayed, with the rule for equal free blocks that the recording
 *     shows
 * @param uses of its allocations
 * @param liveBeforeBytes allocated before the recording began; 0 for a whole run
 * @param isWrapped whether the oldest events were overwritten
 * @param failureEvent the first request that failed, or {@link #NO_FAILURE}
 * @param settings the recorded settings
 * @param peakReservedBytes the recorded peak, or {@link ActiveBytes#UNKNOWN}
 */
public record SizedRecording(
    String name,
    ParameterValues values,
    Snapshot snapshot,
    DeviceSnapshot device,
    RecordedRun run,
    Lazy<RecordedRun> placed,
    Lazy<Uses> uses,
    long liveBeforeBytes,
    boolean isWrapped,
    int failureEvent,
    String settings,
    long peakReservedBytes) {
  static final int NO_FAILURE = -1;

  /**
   * Decodes a recording.
   *
   * @throws PlanRefusedException if it has no trace
   * @throws dev.vramscope.whatif.ReplayLimitException if it is too large to be replayed
   */
  public static SizedRecording of(String name, ParameterValues values, DeviceInspection inspection)
      throws PlanRefusedException {
    Snapshot snapshot = inspection.snapshot();
    DeviceSnapshot device = inspection.device();
    Lifetimes lifetimes = inspection.lifetimes();
    if (device.trace().isEmpty()) {
      throw new PlanRefusedException(
          name + " has no trace: no event was recorded.",
          "Call torch.cuda.memory._record_memory_history() before the first allocation, and take"
              + " the snapshot after the last step.");
    }
    if (device.facts().family() != AllocatorFamily.CACHING) {
      throw new PlanRefusedException(
          String.format(
              Locale.ROOT,
              "%s was recorded with the allocator %s.",
              name,
              device.facts().family().id()),
          "A plan needs recordings of PyTorch's caching allocator.");
    }
    long before = 0;
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      before += lifetimes.bytes(row);
    }
    boolean isWrapped =
        before > 0
            && inspection.missingData().findings().stream()
                .anyMatch(FindingKind.RING_WRAPPED::isOf);
    return new SizedRecording(
        name,
        values,
        snapshot,
        device,
        inspection.replays().requests(),
        new Lazy<>(inspection.replays()::fromNothing),
        new Lazy<>(inspection::uses),
        before,
        isWrapped,
        firstFailure(device.trace()),
        RecordedSettings.of(snapshot, device).text(),
        inspection.active().peakReservedBytes());
  }

  /** The device of a snapshot that is planned if none is named: that with the most events. */
  public static Optional<DeviceInspection> deviceOf(SnapshotInspection snapshot) {
    return snapshot.devices().stream()
        .max(Comparator.comparingInt(each -> each.device().trace().size()));
  }

  private static int firstFailure(Trace trace) {
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.OOM) {
        return event;
      }
    }
    return NO_FAILURE;
  }

  boolean hasFailed() {
    return failureEvent != NO_FAILURE;
  }
}
