package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.store.listing.Tags;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DefaultNameTest {
  private static final Instant NOW = Instant.parse("2026-11-22T14:00:01Z");

  @Test
  void jobRankAndStepAreTheName() {
    Tags tags = new Tags("llama", "3", "n7", 1200L, List.of("nightly"));
    assertThat(DefaultName.of(tags, snapshot(Trace.NO_TIME, 1), NOW))
        .isEqualTo("llama rank 3 step 1200");
    assertThat(
            DefaultName.of(
                new Tags(null, "3", null, null, List.of()), snapshot(Trace.NO_TIME, 1), NOW))
        .isEqualTo("rank 3");
  }

  @Test
  void withoutTagsItIsTheTimeOfTheCaptureAndTheDevices() {
    long captured = Instant.parse("2026-05-01T09:00:12Z").getEpochSecond() * 1_000_000;
    assertThat(DefaultName.of(Tags.NONE, snapshot(captured, 1), NOW))
        .isEqualTo("2026-05-01 09:00:12 UTC, device 0");
    assertThat(DefaultName.of(Tags.NONE, snapshot(captured, 3), NOW))
        .isEqualTo("2026-05-01 09:00:12 UTC, devices 0, 1, 2");
    assertThat(DefaultName.of(Tags.NONE, snapshot(captured, 8), NOW))
        .isEqualTo("2026-05-01 09:00:12 UTC, 8 devices");
  }

  @Test
  void withoutATimeOfTheCaptureItIsTheTimeOfTheUpload() {
    assertThat(DefaultName.of(Tags.NONE, snapshot(Trace.NO_TIME, 1), NOW))
        .isEqualTo("2026-11-22 14:00:01 UTC, device 0");
  }

  private static Snapshot snapshot(long captureMicros, int devices) {
    return new Snapshot(
        new Origin("test", "test", captureMicros),
        Optional.empty(),
        IntStream.range(0, devices)
            .mapToObj(ordinal -> new DeviceSnapshot(ordinal, List.of(), Trace.EMPTY, List.of()))
            .toList(),
        StackTable.EMPTY,
        List.of());
  }
}
