package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recordings of PyTorch 2.11 on an NVIDIA H100: sixteen programs of transformers, trl, peft,
 * lightning and timm that ran out of memory below a limit (docs/gpu). Whatever a simulated device
 * does otherwise would show here.
 */
class GpuRecordingsTest {
  private static final JsonNode RUNS =
      JsonMapper.shared().readTree(TestData.file("h100/runs.json"));

  private static final long TOTAL_BYTES = RUNS.path("totalBytes").asLong();

  private record Program(String name, JsonNode run, Snapshot snapshot) {
    DeviceSnapshot device() {
      return snapshot.devices().getFirst();
    }

    /**
     * Below the limit that the program set, which counts whole segments, expandable ones too.
     * {@code limitBytes} is cut to whole bytes as 2.11 does it; 2.14 rounds.
     */
    Outcome under(String settings) {
      double fraction = (double) run.path("limitBytes").asLong() / TOTAL_BYTES;
      return Replay.run(
          RecordedRun.of(snapshot, device()),
          new Variant.Caching(
              (settings.isEmpty() ? "" : settings + ",")
                  + "per_process_memory_fraction:"
                  + fraction),
          DeviceSize.of(TOTAL_BYTES, 0),
          new Progress());
    }
  }

  private static List<Program> programs() {
    List<Program> programs = new ArrayList<>();
    for (Map.Entry<String, JsonNode> run : RUNS.path("programs").properties()) {
      programs.add(
          new Program(
              run.getKey(),
              run.getValue(),
              Recordings.read(TestData.file("h100/" + run.getKey() + ".pickle"))));
    }
    assertThat(programs).hasSize(16);
    return programs;
  }

  @Test
  void theReplayRepeatsEachSegmentAndAddress() {
    for (Program program : programs()) {
      Fidelity fidelity =
          Fidelity.of(program.snapshot(), program.device(), Lifetimes.of(program.device()));
      assertThat(fidelity.isExact()).as(program.name() + " " + fidelity).isTrue();
    }
  }

  @Test
  void theReplayFailsWhereTheProgramFailed() {
    for (Program program : programs()) {
      JsonNode recorded = program.run().path("recorded");
      assertThat(program.device().segments().stream().mapToLong(Segment::allocatedBytes).sum())
          .as(program.name())
          .isEqualTo(program.run().path("liveBytes").asLong());
      Outcome replayed = program.under(program.run().path("settings").asString());
      assertThat(replayed.fits()).as(program.name()).isFalse();
      assertThat(replayed.peakReservedBytes())
          .as(program.name())
          .isEqualTo(recorded.path("peakReserved").asLong());
      assertThat(replayed.peakAllocatedBytes())
          .as(program.name())
          .isEqualTo(recorded.path("peakAllocated").asLong());
      assertThat(replayed.retries())
          .as(program.name())
          .isEqualTo(recorded.path("retries").asLong());
    }
  }

  /** A run that failed in a later step got past the recorded failure. */
  @Test
  void theReplayInExpandableSegmentsFitsWhereTheProgramGotFurther() {
    int further = 0;
    for (Program program : programs()) {
      JsonNode expandable = program.run().path("expandable");
      if (expandable.path("failedAtStep").asInt(0)
          > program.run().path("recorded").path("failedAtStep").asInt()) {
        further++;
        assertThat(program.under("expandable_segments:True").fits()).as(program.name()).isTrue();
      }
    }
    assertThat(further).isPositive();
  }
}
