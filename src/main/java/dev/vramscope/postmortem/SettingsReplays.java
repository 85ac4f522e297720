package dev.vramscope.postmortem;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.ChangedReplay.Change;
import dev.vramscope.postmortem.ChangedReplay.Rest;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.TimeLimit;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.ReplayableRun;
import dev.vramscope.whatif.replays.WhatIf;
import dev.vramscope.whatif.replays.WhatIfRow;
import dev.vramscope.work.HeavyWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays the run of a failure under the settings that its release of PyTorch knows, and with an
 * emptied cache, to see which of them would have served the request.
 */
public final class SettingsReplays {
  /** For all replays of a failure, which is many times what those of a long recording take. */
  private static final Duration MOST_TIME = Duration.ofMinutes(1);

  private final TimeLimit limit = TimeLimit.of(MOST_TIME);
  private final ReplayableRun run;
  private final int failure;
  private final int recordedFailuresBefore;
  private final Room room;
  private final Optional<RestOfStep> rest;

  /**
   * The run with the rest of its step, if there is one; made for the first replay that needs it.
   */
  private final Lazy<RecordedRun> continued;

  private SettingsReplays(
      ReplayableRun run,
      int failure,
      int recordedFailuresBefore,
      Room room,
      Optional<RestOfStep> rest) {
    this.rest = rest;
    continued = new Lazy<>(() -> run.run().get().continuedBy(rest.orElseThrow().continuation()));
    this.run = run;
    this.failure = failure;
    this.recordedFailuresBefore = recordedFailuresBefore;
    this.room = room;
  }

  /**
   * What the allocator can have.
   *
   * @param device the device of the recording
   * @param limit below it, if one refused the request
   */
  public record Room(DeviceSize device, Optional<AllocatorLimit> limit) {
    /** The device of replays. */
    DeviceSize size() {
      return limit.map(AllocatorLimit::size).orElse(device);
    }
  }

  /**
   * Replays a run of PyTorch's caching allocator.
   *
   * @param steps of the device's trace
   * @param failure the event of the failed request
   * @param room the memory that the allocator can have
   * @param knownReplays results that need not be computed again
   * @return empty if the recorded settings are not valid
   * @throws ReplayLimitException if the recording is too large to be replayed, or takes too long
   */
  public static Optional<ChangedReplays> run(
      Snapshot snapshot,
      DeviceSnapshot device,
      Steps steps,
      ReplayableRun run,
      int failure,
      Room room,
      KnownReplays knownReplays) {
    List<Variant.Caching> variants =
        SettingsToTry.variants(snapshot, device.facts(), run.hasSteps());
    if (run.hasSteps()) {
      variants.add(new Variant.Caching(snapshot.configuration(), EmptyCache.BEFORE_FAILED_STEP));
    }
    SettingsReplays replays =
        new SettingsReplays(
            run,
            failure,
            failuresBefore(device, failure),
            room,
            RestOfStep.of(device.trace(), steps, failure));
    Map<Variant, Outcome> outcomes = replays.outcomes(variants, knownReplays);
    Outcome unchanged = outcomes.get(variants.getFirst());
    if (unchanged == null && replays.limit.isOver()) {
      throw tooLong();
    }
    if (unchanged == null) {
      return Optional.empty();
    }
    List<ChangedReplay> changed = new ArrayList<>();
    for (Variant.Caching variant : variants.subList(1, variants.size())) {
      Outcome outcome = outcomes.get(variant);
      if (outcome != null && !replays.limit.isOver()) {
        changed.add(replays.changedReplay(variant, outcome));
      }
    }
    return Optional.of(
        new ChangedReplays(
            replays.changedReplay(variants.getFirst(), unchanged),
            changed,
            isAnyRequestAfter(device, failure),
            run.fidelity().get(),
            room.limit(),
            replays.withoutLimit(variants.getFirst())));
  }

  /**
   * Settings that the allocator does not accept have no outcome. A task of the service has one
   * turn, and gives way in its own thread; a command has all cores.
   */
  private Map<Variant, Outcome> outcomes(
      List<Variant.Caching> variants, KnownReplays knownReplays) {
    Map<Variant, Outcome> outcomes = new HashMap<>();
    int threads =
        HeavyWork.isTask()
            ? 1
            : Math.clamp(Runtime.getRuntime().availableProcessors() - 1L, 1, variants.size());
    WhatIf replays = new WhatIf(run.run(), room.size(), variants, knownReplays, limit::progress);
    for (WhatIfRow row : replays.run(threads)) {
      if (row instanceof WhatIfRow.Replayed(Variant variant, Outcome outcome)) {
        outcomes.put(variant, outcome);
      }
    }
    return outcomes;
  }

  private ChangedReplay changedReplay(Variant.Caching variant, Outcome outcome) {
    boolean isPassed = isPassed(variant, outcome);
    return new ChangedReplay(
        change(variant),
        isPassed,
        isPassed ? rest(variant) : new Rest.Unknown(),
        outcome.fits(),
        outcome.peakReservedBytes(),
        outcome.driverCalls());
  }

  /** Whether the step would have gone on to its end. */
  private Rest rest(Variant variant) {
    if (rest.isEmpty()) {
      return new Rest.Unknown();
    }
    RecordedRun recorded = run.run().get();
    try {
      Outcome outcome = Replay.run(continued.get(), variant, room.size(), limit.progress());
      int lastFailure = outcome.lastFailureAtEvent().orElse(-1);
      if (lastFailure < recorded.events()) {
        return new Rest.Served(rest.get().isScaled());
      }
      int like = recorded.repeatedEvent(lastFailure, rest.get().continuation());
      return new Rest.Fails(like, continued.get().bytesAtEvent(lastFailure));
    } catch (ReplayLimitException over) {
      throw tooLong();
    }
  }

  /** What the allocator would hold, until the step ends, if no limit had refused the request. */
  private Optional<ChangedReplays.Unlimited> withoutLimit(Variant recorded) {
    if (room.limit().isEmpty()) {
      return Optional.empty();
    }
    try {
      RecordedRun whole = rest.isPresent() ? continued.get() : run.run().get();
      Outcome outcome = Replay.run(whole, recorded, room.device(), limit.progress());
      return Optional.of(
          new ChangedReplays.Unlimited(
              outcome.peakReservedBytes(),
              outcome.fits(),
              rest.isPresent(),
              rest.map(RestOfStep::isScaled).orElse(false)));
    } catch (ReplayLimitException over) {
      throw tooLong();
    }
  }

  private static Change change(Variant.Caching variant) {
    return switch (variant.emptyCache()) {
      case NEVER -> new Change.Settings(variant.settings());
      case EACH_STEP -> new Change.EmptyEachStep();
      case BEFORE_FAILED_STEP -> new Change.EmptyBeforeRetry();
    };
  }

  /**
   * Whether the request that failed in the recording was served, and none before it failed that the
   * recording served: memory that a run could not get serves no later request.
   */
  private boolean isPassed(Variant variant, Outcome whole) {
    if (whole.failsAtEvent().isEmpty() || whole.failsAtEvent().getAsInt() > failure) {
      return true;
    }
    if (whole.failsAtEvent().getAsInt() == failure) {
      return false;
    }
    // An earlier request failed, too. Those that failed in the recording were caught by it.
    try {
      Outcome until =
          Replay.run(run.run().get().until(failure), variant, room.size(), limit.progress());
      return until.lastFailureAtEvent().orElse(-1) != failure
          && until.ooms() <= recordedFailuresBefore;
    } catch (ReplayLimitException over) {
      throw tooLong();
    }
  }

  private static ReplayLimitException tooLong() {
    return new ReplayLimitException(
        "Its replays take more than " + MOST_TIME.toSeconds() + " seconds.");
  }

  private static int failuresBefore(DeviceSnapshot device, int failure) {
    return (int) device.trace().ooms().stream().filter(oom -> oom.event() < failure).count();
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
