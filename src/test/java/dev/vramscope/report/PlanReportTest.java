package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.ByteText;
import dev.vramscope.plan.LargestValue;
import dev.vramscope.plan.ParameterValues;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanAnswer;
import dev.vramscope.plan.PlanQuestion;
import dev.vramscope.plan.PlanSentence;
import dev.vramscope.plan.Prediction;
import dev.vramscope.plan.SizedRecording;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a plan's report says is what the plan has computed. */
class PlanReportTest {
  private static final int MOST_SITES = 20;
  private static final long GIB = 1L << 30;

  @SuppressWarnings("NullAway.Init")
  private static Plan plan;

  @BeforeAll
  static void read() throws Exception {
    plan = Plan.of(List.of(recording(2), recording(3)), new Progress());
  }

  private static SizedRecording recording(long batch) throws Exception {
    String file = "scale/batch/batch" + batch + "_length512.pickle.gz";
    try (InputStream in = new GZIPInputStream(Files.newInputStream(TestData.file(file)))) {
      return SizedRecording.of(
          file,
          ParameterValues.of("batch", batch),
          SnapshotInspection.of(TorchPickleReader.read(in, ReadLimits.defaults()))
              .devices()
              .getFirst());
    }
  }

  private static PlanAnswer answer(Map<String, Long> at, DeviceSize... sizes) throws Exception {
    return PlanAnswer.of(
        plan,
        new PlanQuestion("batch", at, List.of(sizes), List.of()),
        new Progress(),
        /* threads= */ 1);
  }

  private static Table table(Report report, String title) {
    Section section =
        report.sections().stream()
            .filter(each -> each.title().equals(title))
            .findFirst()
            .orElseThrow();
    return section.parts().stream()
        .filter(Table.class::isInstance)
        .map(Table.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void largestValueStandsBesideWhatItReservesAndWhatTheNextNeeds() throws Exception {
    PlanAnswer answer = answer(Map.of(), DeviceSize.of(24 * GIB, GIB));
    LargestValue largest = answer.largest().getFirst();
    Outcome fitting = Objects.requireNonNull(largest.fitting());
    Prediction failing = Objects.requireNonNull(largest.failing());
    Report report = PlanReport.of(plan, answer);
    assertThat(report.summary()).isEqualTo(PlanSentence.of(answer));
    assertThat(report.isFailure()).isFalse();
    assertThat(table(report, "The largest batch that fits").rows())
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .startsWith(largest.variant().label(), "24 GiB, others 1 GiB")
                    .contains(
                        String.valueOf(largest.value().orElseThrow()),
                        ByteText.of(fitting.peakReservedBytes()),
                        PlanSentence.needed(failing)));
  }

  @Test
  void valueThatFailsMakesTheReportOneOfAFailure() throws Exception {
    PlanAnswer answer = answer(Map.of("batch", 400L), DeviceSize.of(24 * GIB, 0));
    Report report = PlanReport.of(plan, answer);
    assertThat(answer.predictions()).anyMatch(prediction -> !prediction.fits());
    assertThat(report.isFailure()).isTrue();
    assertThat(table(report, "At batch 400").rows().getFirst()).contains("fails");
  }

  @Test
  void withoutADeviceNothingFitsOrFails() throws Exception {
    Report report = PlanReport.of(plan, answer(Map.of("batch", 5L)));
    assertThat(report.isFailure()).isFalse();
    assertThat(table(report, "At batch 5").rows().getFirst())
        .contains("without limit")
        .doesNotContain("fits", "fails");
  }

  @Test
  void growthNamesTheLargestSitesAndTheSumOfAll() throws Exception {
    PlanAnswer answer = answer(Map.of("batch", 5L));
    Table growth = table(PlanReport.of(plan, answer), "How memory grows");
    assertThat(growth.hasTotal()).isTrue();
    assertThat(growth.columns())
        .containsExactly("Site", "Grows with", "#batch 2", "#batch 3", "#batch 5");
    assertThat(growth.rows()).hasSizeLessThanOrEqualTo(MOST_SITES + 1);
    assertThat(growth.rows().getLast())
        .startsWith("All " + answer.growth().rows().size() + " sites")
        .endsWith(ByteText.of(answer.growth().total().askedBytes()));
  }

  @Test
  void recordedPeaksStandBesideThoseThatThePlanGivesForThem() throws Exception {
    PlanAnswer answer = answer(Map.of("batch", 5L));
    Table checks = table(PlanReport.of(plan, answer), "What this stands on");
    assertThat(checks.rows())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.get(2)).as("recorded and planned").isEqualTo(row.get(3)));
  }
}
