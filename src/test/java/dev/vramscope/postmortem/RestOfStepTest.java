package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.ChangedReplay.Change;
import dev.vramscope.postmortem.ChangedReplay.Rest;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.ReplayableRun;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RestOfStepTest {
  private static final String EXPANDABLE = "expandable_segments:True";

  /** Programs that were run again in expandable segments, which the recording did not have. */
  static Stream<RecordedFailure> runAgain() {
    return Stream.of("hf", "programs-unseen")
        .flatMap(RecordedFailure::all)
        .filter(failure -> expandable(failure).has("failedAtStep"));
  }

  private static JsonNode expandable(RecordedFailure failure) {
    JsonNode underSettings = failure.truth().path("underSettings").path("expandable");
    return underSettings.isMissingNode() ? failure.truth().path("expandable") : underSettings;
  }

  /** What a replay says of the rest of a step is what the program did. */
  @ParameterizedTest
  @MethodSource("runAgain")
  void stepsThatEndAreThoseOfTheProgram(RecordedFailure failure) {
    JsonNode failedAt = expandable(failure).path("failedAtStep");
    int recorded = failure.truth().path("failedAtStep").asInt();
    boolean isPassed = failedAt.isNull() || failedAt.asInt() > recorded;

    Optional<Rest> rest = restInExpandableSegments(failure);

    if (isPassed && rest.isPresent()) {
      assertThat(rest.orElseThrow()).isNotInstanceOf(Rest.Fails.class);
    } else if (!failure.name().equals("trainer_eval_accumulates")) {
      // There, the step of an evaluation ends, and a later one of the same step of training fails.
      assertThat(rest.filter(each -> each instanceof Rest.Served)).isEmpty();
    }
  }

  @Test
  void mostStepsThatEndAreKnownToEnd() {
    long served =
        runAgain()
            .filter(
                failure ->
                    failure
                        .name()
                        .matches(
                            "lightning_outputs|torchmetrics_list_state"
                                + "|varying_lengths|cached_embed|contrastive_queue|gan_pool|lru_server"
                                + "|replay_clips|error_log_server|grpo_metrics|stream_sessions"))
            .filter(
                failure ->
                    restInExpandableSegments(failure)
                        .filter(rest -> rest instanceof Rest.Served)
                        .isPresent())
            .count();
    assertThat(served).isEqualTo(11);
  }

  /** Empty if the failed request itself is not served. */
  private static Optional<Rest> restInExpandableSegments(RecordedFailure failure) {
    DeviceSnapshot device = failure.snapshot().devices().getFirst();
    RecordedHistory history = RecordedHistory.of(failure.snapshot().stacks(), device);
    Steps steps = history.steps();
    ReplayableRun run =
        new ReplayableRun(
            /* hasSteps= */ false,
            /* isComparable= */ true,
            () -> RecordedRun.of(failure.snapshot(), device, history.lifetimes()),
            () -> Fidelity.of(failure.snapshot(), device, history.lifetimes()));
    return SettingsReplays.run(
            failure.snapshot(),
            device,
            steps,
            run,
            device.trace().ooms().getFirst().event(),
            new SettingsReplays.Room(
                DeviceSize.of(
                    failure.truth().path("totalBytes").asLong(),
                    failure.truth().path("othersBytes").asLong(0)),
                SnapshotInspection.of(failure.snapshot())
                    .main()
                    .orElseThrow()
                    .failures()
                    .limit(DeviceEvidence.NONE)),
            KnownReplays.NONE)
        .orElseThrow()
        .changed()
        .stream()
        .filter(replay -> replay.change().equals(new Change.Settings(EXPANDABLE)))
        .filter(ChangedReplay::passesFailure)
        .map(ChangedReplay::rest)
        .findFirst();
  }

  /** A step that was recorded to its end is continued as it went on. */
  @Test
  void aContinuedStepNeedsWhatItNeeded() {
    RecordedFailure healthy = RecordedFailure.named("hf", "healthy_vit");
    DeviceSnapshot device = healthy.snapshot().devices().getFirst();
    Trace trace = device.trace();
    Steps steps = RecordedHistory.of(healthy.snapshot().stacks(), device).steps();
    RecordedRun run = RecordedRun.of(healthy.snapshot(), device);
    int compared = 0;
    for (int event = steps.start(3) + 1; event < steps.end(3); event += 31) {
      if (trace.action(event) == TraceAction.ALLOC) {
        RestOfStep rest = RestOfStep.of(trace, steps, event).orElseThrow();
        assertThat(rest.isScaled()).isFalse();
        RecordedRun continued = run.continuedBy(rest.continuation());
        RecordedRun recorded = run.until(steps.end(3) - 1);
        assertThat(continued.operations())
            .as("operations, continued after event %d", event)
            .isEqualTo(recorded.operations());
        assertThat(continued.peakLive().bytes()).isEqualTo(recorded.peakLive().bytes());
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(10);
  }
}
