package dev.vramscope.postmortem;

import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.Tried.Change;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.Variant;

/**
 * Replays the run of a failure under the settings that its release of PyTorch knows, to see which
 * of them would have served the request.
 */
public final class FailureTries {
  private final RecordedRun run;
  private final RecordedRun untilFailure;
  private final int failure;
  private final DeviceSize size;
  private final Progress progress;

  private FailureTries(RecordedRun run, int failure, DeviceSize size, Progress progress) {
    this.run = run;
    untilFailure = run.until(failure);
    this.failure = failure;
    this.size = size;
    this.progress = progress;
  }

  /**
   * Replays a run of PyTorch's caching allocator. Takes as long as that many runs of the allocator.
   *
   * @param failure the event of the failed request
   * @param size the device of the recording
   */
  public static Tries run(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lifetimes lifetimes,
      int failure,
      DeviceSize size,
      Progress progress) {
    RecordedRun run = RecordedRun.of(snapshot, device, lifetimes);
    FailureTries tries = new FailureTries(run, failure, size, progress);
    Tried recorded =
        tries.tried(snapshot.settings().flatMap(AllocatorSettings::configuration).orElse(""));
    return new Tries(
        recorded,
        SettingsToTry.of(snapshot, device.facts()).stream().map(tries::tried).toList(),
        isAnyRequestAfter(device, failure),
        Fidelity.of(snapshot, device, lifetimes));
  }

  private Tried tried(String line) {
    Variant variant = new Variant.Caching(line);
    Outcome outcome = Replay.run(run, variant, size, progress);
    return new Tried(
        new Change.Settings(line),
        isPassed(variant, outcome),
        outcome.fits(),
        outcome.peakReservedBytes(),
        outcome.driverCalls());
  }

  /** Whether the request that failed in the recording was served. */
  private boolean isPassed(Variant variant, Outcome whole) {
    if (whole.failsAtEvent().isEmpty() || whole.failsAtEvent().getAsInt() > failure) {
      return true;
    }
    if (whole.failsAtEvent().getAsInt() == failure) {
      return false;
    }
    // An earlier request failed, too.
    Outcome until = Replay.run(untilFailure, variant, size, progress);
    return until.lastFailureAtEvent().orElse(-1) != failure;
  }

  private static boolean isAnyRequestAfter(DeviceSnapshot device, int failure) {
    for (int event = failure + 1; event < device.trace().size(); event++) {
      if (device.trace().action(event) == TraceAction.ALLOC) {
        return true;
      }
    }
    return false;
  }
}
