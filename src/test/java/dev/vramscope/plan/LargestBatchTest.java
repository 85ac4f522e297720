package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vramscope.TestData;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.Snapshot;
import dev.vramscope.plan.Confidence.Level;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The largest batch of programs that were run at it, and at larger ones that failed. */
class LargestBatchTest {
  private static final long GIB = 1L << 30;
  private static final double NEAR = 0.02;

  private static Plan plan(String folder, Map<Long, String> files) throws Exception {
    List<SizedRecording> recordings = new ArrayList<>();
    for (Map.Entry<Long, String> file : files.entrySet()) {
      Snapshot snapshot =
          SnapshotFile.read(TestData.file(folder + "/" + file.getValue()), ReadLimits.defaults())
              .snapshot()
              .orElseThrow();
      recordings.add(
          SizedRecording.of(
              file.getValue(),
              new ParameterValues(Map.of("batch", file.getKey())),
              SnapshotInspection.of(snapshot).devices().getFirst()));
    }
    return Plan.of(recordings, new Progress());
  }

  private static PlanAnswer answer(Plan plan, long deviceBytes, @Nullable Long at)
      throws PlanRefusedException {
    return PlanAnswer.of(
        plan,
        new PlanQuestion(
            "batch",
            at == null ? Map.of() : Map.of("batch", at),
            List.of(DeviceSize.of(deviceBytes, 0)),
            List.of()),
        new Progress(),
        1);
  }

  private static JsonNode truth(String folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(TestData.file(folder + "/truth.json")));
  }

  private static LargestValue largest(PlanAnswer answer) {
    return Optional.ofNullable(answer.firstLargest()).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"gpt, 3, 6", "mixer, 20, 44"})
  void theProgramRanAtTheLargestBatchAndFailedAtTheNext(String program, long first, long second)
      throws Exception {
    String folder = "plan/" + program;
    JsonNode truth = truth(folder);
    Plan plan =
        plan(
            folder,
            Map.of(first, "batch" + first + ".pickle.gz", second, "batch" + second + ".pickle.gz"));
    PlanAnswer answer = answer(plan, truth.path("deviceBytes").asLong(), null);
    LargestValue largest = largest(answer);
    assertThat(largest.value()).hasValue(truth.path("largest").asLong());
    assertThat(answer.certainty().level()).isEqualTo(Level.LIKELY);
    for (JsonNode run : truth.path("runs")) {
      long batch = run.path("batch").asLong();
      Prediction planned =
          plan.predict(
              new ParameterValues(Map.of("batch", batch)),
              new Variant.Caching(plan.recordings().getFirst().settings()),
              DeviceSize.of(truth.path("deviceBytes").asLong(), 0),
              new Progress());
      assertThat(planned.fits()).as("batch %d", batch).isEqualTo(run.path("fits").asBoolean());
    }
  }

  /** The recordings were started in one way, or one of them by another script. */
  @ParameterizedTest
  @CsvSource({"snapshot.batch32.pickle.gz", "snapshot.pickle.gz"})
  void workspacesOfKernelsMakeARange(String second) throws Exception {
    Plan plan = plan("hf/healthy_vit", Map.of(16L, "snapshot.batch16.pickle.gz", 32L, second));
    PlanAnswer answer = answer(plan, 24 * GIB, null);
    LargestValue largest = largest(answer);
    assertThat(largest.value()).hasValue(345);
    assertThat(largest.range()).isEqualTo(new LargestValue.Range(331, 345));
    assertThat(answer.certainty().level()).isEqualTo(Level.LIKELY);
    assertThat(PlanSentence.of(answer))
        .startsWith("The largest batch that fits 24 GiB is 345 (331 to 345), which holds")
        .contains("This is likely, not proven: ", " at the peak are workspaces of kernels");
    requirePeaks(plan, truth("hf/healthy_vit").path("runs"));
  }

  /** A recorded batch is exact; what it says of a larger one is not. */
  @Test
  void whatIsAskedBesideDoesNotMakeTheLargestSurer() throws Exception {
    Plan plan =
        plan(
            "hf/healthy_vit",
            Map.of(16L, "snapshot.batch16.pickle.gz", 32L, "snapshot.batch32.pickle.gz"));
    assertThat(answer(plan, 24 * GIB, 32L).certainty().level()).isEqualTo(Level.LIKELY);
  }

  @ParameterizedTest
  @CsvSource({"snapshot.batch4.pickle.gz", "snapshot.pickle.gz"})
  void exactSizesGiveAnExactAnswer(String second) throws Exception {
    Plan plan =
        plan("hf/healthy_trainer_lora", Map.of(2L, "snapshot.batch2.pickle.gz", 4L, second));
    PlanAnswer answer = answer(plan, 24 * GIB, 12L);
    assertThat(largest(answer).value()).hasValue(52);
    assertThat(largest(answer).range()).isNull();
    assertThat(answer.certainty().level()).isEqualTo(Level.EXACT);
    requirePeaks(plan, truth("hf/healthy_trainer_lora").path("runs"));
  }

  /** Peaks of runs that did not have to release memory. */
  private static void requirePeaks(Plan plan, JsonNode runs) {
    int compared = 0;
    for (Map.Entry<String, JsonNode> run : runs.properties()) {
      if (!run.getValue().path("failedAtStep").isNull()
          || run.getValue().path("retries").asInt() > 0) {
        continue;
      }
      Outcome planned =
          plan.predict(
                  new ParameterValues(Map.of("batch", Long.valueOf(run.getKey()))),
                  new Variant.Caching(plan.recordings().getFirst().settings()),
                  DeviceSize.UNLIMITED,
                  new Progress())
              .needed();
      double reserved = run.getValue().path("peakReservedBytes").asDouble();
      assertThat((double) planned.peakReservedBytes())
          .as("batch %s", run.getKey())
          .isCloseTo(reserved, within(NEAR * reserved));
      compared++;
    }
    assertThat(compared).isPositive();
  }
}
