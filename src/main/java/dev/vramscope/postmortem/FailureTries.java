package dev.vramscope.postmortem;

import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.analysis.Steps;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.Tried.Change;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.WhatIf;
import dev.vramscope.whatif.WhatIfRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Replays the run of a failure under the settings that its release of PyTorch knows, and with an
 * emptied cache, to see which of them would have served the request.
 */
public final class FailureTries {
  private final RecordedRun run;
  private final int failure;
  private final DeviceSize size;

  private FailureTries(RecordedRun run, int failure, DeviceSize size) {
    this.run = run;
    this.failure = failure;
    this.size = size;
  }

  /**
   * Replays a run of PyTorch's caching allocator on all cores.
   *
   * @param steps the steps of the run, at which the cache can be emptied
   * @param failure the event of the failed request
   * @param size the device of the recording
   * @return empty if the recording cannot be replayed: it is too large, or its settings are not
   *     valid
   */
  public static Optional<Tries> run(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lifetimes lifetimes,
      Steps steps,
      int failure,
      DeviceSize size) {
    int[] starts = IntStream.range(0, steps.startCount()).map(steps::start).toArray();
    RecordedRun run = RecordedRun.of(snapshot, device, lifetimes).withSteps(starts);
    String recorded = snapshot.settings().flatMap(AllocatorSettings::configuration).orElse("");
    List<Variant.Caching> variants = new ArrayList<>();
    variants.add(new Variant.Caching(recorded));
    for (String line : SettingsToTry.of(snapshot, device.facts())) {
      variants.add(new Variant.Caching(line));
    }
    if (starts.length > 0) {
      variants.add(new Variant.Caching(recorded, EmptyCache.EACH_STEP));
      variants.add(new Variant.Caching(recorded, EmptyCache.BEFORE_FAILED_STEP));
    }
    List<WhatIfRow> rows =
        new WhatIf(run, size, variants).run(Runtime.getRuntime().availableProcessors());
    FailureTries tries = new FailureTries(run, failure, size);
    List<Tried> changed = new ArrayList<>();
    for (int i = 1; i < rows.size(); i++) {
      tries.tried(variants.get(i), rows.get(i)).ifPresent(changed::add);
    }
    return tries
        .tried(variants.getFirst(), rows.getFirst())
        .map(
            unchanged ->
                new Tries(
                    unchanged,
                    changed,
                    isAnyRequestAfter(device, failure),
                    Fidelity.of(snapshot, device, lifetimes)));
  }

  private Optional<Tried> tried(Variant.Caching variant, WhatIfRow row) {
    if (!(row instanceof WhatIfRow.Replayed(Variant _, Outcome outcome))) {
      return Optional.empty();
    }
    return Optional.of(
        new Tried(
            change(variant),
            isPassed(variant, outcome),
            outcome.fits(),
            outcome.peakReservedBytes(),
            outcome.driverCalls()));
  }

  private static Change change(Variant.Caching variant) {
    return switch (variant.emptyCache()) {
      case NEVER -> new Change.Settings(variant.settings());
      case EACH_STEP -> new Change.EmptyEachStep();
      case BEFORE_FAILED_STEP -> new Change.EmptyBeforeRetry();
    };
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
    Outcome until = Replay.run(run.until(failure), variant, size, new Progress());
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
