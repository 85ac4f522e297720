package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.ByteText;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.Remedy;
import dev.vramscope.whatif.replays.KnownReplays;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that limits itself to a fraction of the GPU; its recording does not say so. */
class MemoryLimitTest {
  private final RecordedFailure failure = RecordedFailure.named("hf", "memory_fraction");

  private DeviceInspection device(List<AttachedText> texts) {
    return SnapshotInspection.of(
            SnapshotHistory.of(failure.snapshot()), () -> texts, _ -> KnownReplays.NONE)
        .main()
        .orElseThrow();
  }

  private static Explanation explanation(DeviceInspection device) {
    DeviceEvidence evidence = device.evidence().combined();
    return device.failures().explanation(0, evidence, ReplayEffort.FULL);
  }

  @Test
  void limitHasToBeWhatTheStepNeeds() {
    Remedy first = explanation(device(List.of())).remedies().first().orElseThrow();

    // What the program reserved when it ran without a limit.
    long needed = failure.truth().path("unlimitedCard").path("peakReservedBytes").asLong();
    assertThat(first.action().text()).contains("at least " + ByteText.of(needed));
    assertThat(first.isEstimated()).isTrue();
  }

  @Test
  void withoutTheMessageReplaysHaveWhatTheAllocatorHeld() {
    DeviceInspection device = device(List.of());
    AllocatorLimit limit = device.failures().limit(DeviceEvidence.NONE).orElseThrow();
    assertThat(limit).isEqualTo(new AllocatorLimit(5_718_933_504L, /* isKnown= */ false));
    assertThat(explanation(device).remedies().replays().text())
        .contains("none of them serves this request under the least limit")
        .contains("With the recorded settings, the replay fails here, too");
  }

  @Test
  void limitOfTheMessageIsThatOfTheReplays() {
    AttachedText message =
        new AttachedText(1, 0, null, Instant.EPOCH, failure.truth().path("message").asString());
    DeviceInspection device = device(List.of(message));
    assertThat(device.failures().limit(device.evidence().combined()))
        .contains(new AllocatorLimit(6L << 30, /* isKnown= */ true));
    assertThat(explanation(device).remedies().replays().text())
        .contains("under the limit of 6 GiB");
    assertThat(explanation(device).remedies().first().orElseThrow().action().text())
        .contains("a fraction of 0.39 of this GPU");
  }
}
