package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Plans from small programs, and what cannot be planned. */
class PlanTest {
  private static final long MIB = 1 << 20;

  /** Weights of 100 MiB and four activations of 20 MiB a sample, for some steps. */
  private static Program training(long batch, int steps) {
    return training(batch, steps, _ -> {});
  }

  private static Program training(long batch, int steps, Consumer<Program> inEachStep) {
    return training(new Program().allocate("weights", 1, 100 * MIB), batch, steps, inEachStep);
  }

  private static Program training(
      Program program, long batch, int steps, Consumer<Program> inEachStep) {
    for (int step = 0; step < steps; step++) {
      for (int layer = 0; layer < 8; layer++) {
        program.allocate("activation" + layer, 10, 10 * MIB * batch);
      }
      inEachStep.accept(program);
      for (int layer = 7; layer >= 0; layer--) {
        program.allocate("gradient", 0, 5 * MIB).free("gradient").free("activation" + layer);
      }
      if (step == 0) {
        program.allocate("state", 30, 200 * MIB);
      }
    }
    return program;
  }

  /** The same at other addresses. */
  private static Program training(long batch, int steps, int shift) {
    Program program = new Program(shift).allocate("weights", 1, 100 * MIB);
    return training(program, batch, steps, _ -> {});
  }

  private static Plan plan(int steps) throws PlanRefusedException {
    return Plan.of(
        List.of(training(2, steps).recorded("batch=2"), training(3, steps).recorded("batch=3")),
        new Progress());
  }

  private static PlanAnswer answer(Plan plan, Map<String, Long> at, DeviceSize... sizes)
      throws PlanRefusedException {
    return PlanAnswer.of(
        plan,
        new PlanQuestion("batch", at, List.of(sizes), List.of()),
        new Progress(),
        /* threads= */ 2);
  }

  private static DeviceSize mebibytes(long total) {
    return DeviceSize.of(total * MIB, 0);
  }

  @Test
  void largestValueFitsAndTheNextDoesNot() throws PlanRefusedException {
    LargestValue largest = answer(plan(3), Map.of(), mebibytes(2000)).largest().getFirst();
    // 300 MiB of weights and state, 80 MiB for each sample, and a gradient of 5 in a segment.
    assertThat(largest.value()).hasValue(21);
    Outcome fitting = Objects.requireNonNull(largest.fitting());
    Prediction failing = Objects.requireNonNull(largest.failing());
    assertThat(fitting.fits()).isTrue();
    assertThat(failing.fits()).isFalse();
    assertThat(failing.values().get("batch")).isEqualTo(22);
    assertThat(Objects.requireNonNull(failing.failing().frame()).line()).isEqualTo(10);
  }

  @Test
  void othersTakeTheirPart() throws PlanRefusedException {
    LargestValue largest =
        answer(plan(3), Map.of(), DeviceSize.of(2000 * MIB, 800 * MIB)).largest().getFirst();
    assertThat(largest.value()).hasValue(11);
  }

  @Test
  void largestValueIsThatOfTryingAll() throws PlanRefusedException {
    Plan plan = plan(3);
    for (long total = 400; total < 3000; total += 170) {
      DeviceSize size = mebibytes(total);
      Variant.Caching variant = plan.recordedSettings(ParameterValues.of("batch", 3));
      LargestValue found =
          LargestValue.of(
              plan, "batch", ParameterValues.of("batch", 3), variant, size, new Progress());
      long expected = 0;
      for (long batch = 1; batch < 45; batch++) {
        ParameterValues values = ParameterValues.of("batch", batch);
        expected = plan.predict(values, variant, size, new Progress()).fits() ? batch : expected;
      }
      assertThat(found.value().orElse(0)).as("%d MiB", total).isEqualTo(expected);
    }
  }

  @Test
  void noValueFitsATinyDevice() throws PlanRefusedException {
    PlanAnswer answer = answer(plan(3), Map.of(), mebibytes(64));
    assertThat(answer.largest().getFirst().value()).isEmpty();
    assertThat(answer.largest().getFirst().isUnlimited()).isFalse();
    assertThat(PlanSentence.of(answer)).contains("No batch fits 64 MiB.");
  }

  @Test
  void memoryThatDoesNotGrowFitsWithEveryValue() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(training(2, 3).recorded("batch=2"), training(2, 3, 1).recorded("batch=3")),
            new Progress());
    PlanAnswer answer = answer(plan, Map.of(), mebibytes(1000));
    assertThat(answer.largest().getFirst().isUnlimited()).isTrue();
    assertThat(PlanSentence.of(answer)).contains("Memory does not grow with batch");
  }

  @Test
  void moreThanAnyDeviceHas() throws PlanRefusedException {
    PlanAnswer answer = answer(plan(3), Map.of("batch", 1_000_000_000L));
    assertThat(PlanSentence.of(answer)).contains("Batch 1000000000 needs more than 74.51 PiB");
    assertThat(answer.predictions().getFirst().isLowerBound()).isTrue();
    assertThat(answer.curve().getLast().isLowerBound()).isTrue();
    assertThat(answer.curve().getFirst().isLowerBound()).isFalse();
    // The curve ends at the largest value that can be asked.
    assertThat(answer(plan(3), Map.of("batch", ParameterValues.MOST)).curve().getLast().values())
        .isEqualTo(ParameterValues.of("batch", ParameterValues.MOST));
  }

  @Test
  void columnsOfTheGrowthAddUp() throws PlanRefusedException {
    PlanAnswer answer = answer(plan(3), Map.of("batch", 10L));
    Growth growth = answer.growth();
    assertThat(growth.total().askedBytes())
        .isEqualTo(growth.rows().stream().mapToLong(Growth.Row::askedBytes).sum())
        .isEqualTo(answer.basis().live().all())
        .isEqualTo(1105 * MIB);
    assertThat(growth.rows().getFirst().growthLabel()).isEqualTo("batch");
    assertThat(growth.rows().getFirst().recordedBytes()).containsExactly(160 * MIB, 240 * MIB);
    assertThat(growth.rows().stream().filter(row -> !row.isGrowing())).hasSize(3);
  }

  @Test
  void aStepThatRecursIsNeeded() throws PlanRefusedException {
    assertThat(answer(plan(3), Map.of("batch", 4L)).basis().hasSteadyStep()).isTrue();
    AnswerBasis once = answer(plan(1), Map.of("batch", 4L)).basis();
    assertThat(once.hasSteadyStep()).isFalse();
    assertThat(AnswerBasisText.of(once)).anyMatch(text -> text.contains("at least three steps"));
  }

  @Test
  void reachIsThatOfTheValues() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(training(2, 3).recorded("batch=2"), training(8, 3).recorded("batch=8")),
            new Progress());
    assertThat(answer(plan, Map.of("batch", 2L)).basis().reach())
        .isEqualTo(AnswerBasis.Reach.RECORDED);
    assertThat(answer(plan, Map.of("batch", 5L)).basis().reach())
        .isEqualTo(AnswerBasis.Reach.INTERPOLATED);
    AnswerBasis beyond = answer(plan, Map.of("batch", 20L)).basis();
    assertThat(beyond.reach()).isEqualTo(AnswerBasis.Reach.EXTRAPOLATED);
    assertThat(beyond.factor()).isEqualTo(2.5);
  }

  @Test
  void requestsOfOneRecordingOnlyAreCounted() throws PlanRefusedException {
    Program larger = training(3, 3, program -> program.allocate("work", 40, 64 * MIB).free("work"));
    Plan plan =
        Plan.of(
            List.of(training(2, 3).recorded("batch=2"), larger.recorded("batch=3")),
            new Progress());
    AnswerBasis basis = answer(plan, Map.of("batch", 6L)).basis();
    AnswerBasis.Pair pair = basis.pairs().getFirst();
    assertThat(basis.template().values().get("batch")).isEqualTo(3);
    assertThat(pair.alone()).isEqualTo(6);
    assertThat(pair.aloneBytes()).isEqualTo(3 * 64 * MIB);
    assertThat(pair.otherAlone()).isZero();
    assertThat(pair.differences().getFirst()).contains("allocates 64 MiB in forward, train.py:40");
    assertThat(basis.live().assumed()).isEqualTo(128 * MIB);
  }

  // What cannot be planned ----------------------------------------------------------------------

  private static void assertRefused(String problem, SizedRecording... recordings) {
    assertThatThrownBy(() -> Plan.of(List.of(recordings), new Progress()))
        .isInstanceOfSatisfying(
            PlanRefusedException.class,
            refused -> {
              assertThat(refused).hasMessageContaining(problem);
              assertThat(refused.advice()).endsWith(".");
            });
  }

  @Test
  void oneRecordingIsNotEnough() throws PlanRefusedException {
    assertRefused("at least two recordings", training(2, 3).recorded("batch=2"));
  }

  @Test
  void twoProgramsPartAtAnEvent() throws PlanRefusedException {
    Program other = new Program().allocate("weights", 1, 100 * MIB);
    for (int i = 0; i < 60; i++) {
      other.allocate("y" + i, 1000 + i, 3 * MIB);
    }
    assertRefused(
        "They part at event 1 (allocates 20 MiB in forward, train.py:10) and event 1 (allocates 3"
            + " MiB in forward, train.py:1000)",
        training(2, 3).recorded("batch=2"),
        other.recorded("batch=3"));
  }

  @Test
  void theSameValueTwice() throws PlanRefusedException {
    assertRefused(
        "have the same value: batch 2",
        training(2, 3).recorded("batch=2"),
        training(2, 3).recorded("batch=2"));
  }

  @Test
  void theSameFileTwice() throws PlanRefusedException {
    assertRefused(
        "batch=2.pickle, given for batch 2, and batch=3.pickle, given for batch 3, are the same",
        training(2, 3).recorded("batch=2"),
        training(2, 3).recorded("batch=3"));
  }

  @Test
  void swappedValues() throws PlanRefusedException {
    assertRefused(
        "Memory falls as the value rises: batch 2 (batch=2.pickle) needs 545 MiB at the peak",
        training(3, 3).recorded("batch=2"),
        training(2, 3).recorded("batch=3"));
  }

  @Test
  void parametersThatVaryTogether() throws PlanRefusedException {
    assertRefused(
        "batch and tokens vary together",
        training(2, 3).recorded("batch=2,tokens=1024"),
        training(3, 3).recorded("batch=3,tokens=1536"));
    assertRefused(
        "batch and tokens vary together",
        training(2, 3).recorded("batch=2,tokens=1024"),
        training(3, 3).recorded("batch=3,tokens=1536"),
        training(4, 3).recorded("batch=4,tokens=2048"));
  }

  @Test
  void tooManyParameters() throws PlanRefusedException {
    assertRefused(
        "at most 4 parameters, and 5 are given",
        training(2, 3).recorded("batch=2,a=1,b=1,c=1,d=1"),
        training(3, 3).recorded("batch=3,a=1,b=1,c=1,d=1"));
  }

  @Test
  void aTruncatedRecordingIsNotTheTemplate() throws PlanRefusedException {
    Program cut = new Program().allocate("weights", 1, 100 * MIB);
    for (int layer = 0; layer < 6; layer++) {
      cut.allocate("activation" + layer, 10, 10 * MIB * 4);
    }
    Plan plan =
        Plan.of(
            List.of(
                training(2, 3).recorded("batch=2"),
                training(3, 3).recorded("batch=3"),
                cut.recorded("batch=4")),
            new Progress());
    PlanAnswer answer = answer(plan, Map.of("batch", 8L));
    assertThat(answer.basis().template().values()).isEqualTo(ParameterValues.of("batch", 3));
    assertThat(answer.certainty().level()).isEqualTo(Confidence.Level.DOUBTFUL);
    assertThat(PlanSentence.of(answer)).startsWith("Doubtful: ");
    assertThat(answer.basis().notes())
        .anyMatch(note -> note.startsWith("batch=4.pickle seems to end early"));
  }

  @Test
  void aRecordedPeakThatIsNotPlannedIsSaidFirst() throws PlanRefusedException {
    PlanAnswer answer = answer(plan(3), Map.of("batch", 4L));
    List<PlanAnswer.Check> checks =
        List.of(new PlanAnswer.Check(plan(3).recordings().getFirst(), 500 * MIB, 800 * MIB));
    PlanAnswer wrong =
        new PlanAnswer(
            answer.question(),
            answer.askedValues(),
            answer.predictions(),
            answer.largest(),
            answer.curve(),
            answer.growth(),
            answer.basis(),
            checks,
            Confidence.of(answer.basis(), checks, List.of()));
    assertThat(PlanSentence.of(wrong))
        .startsWith("Doubtful: for batch 2 itself 500 MiB reserved are planned, where 800 MiB");
    assertThat(AnswerBasisText.of(wrong).getFirst())
        .startsWith("The plan does not give a recorded peak again: for batch 2 itself 500 MiB");
  }

  @Test
  void valuesOutsideOfTheTriangleAreNotBetween() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(
                training(2, 3).recorded("batch=2,length=2"),
                training(8, 3).recorded("batch=8,length=2"),
                training(2, 3, 1).recorded("batch=2,length=8")),
            new Progress());
    assertThat(answer(plan, Map.of("batch", 4L, "length", 4L)).basis().reach())
        .isEqualTo(AnswerBasis.Reach.INTERPOLATED);
    AnswerBasis corner = answer(plan, Map.of("batch", 7L, "length", 7L)).basis();
    assertThat(corner.reach()).isEqualTo(AnswerBasis.Reach.EXTRAPOLATED);
    assertThat(AnswerBasisText.of(corner)).anyMatch(text -> text.contains("outside of what"));
  }

  @Test
  void recordedSettingsAreThoseOfTheNearest() throws PlanRefusedException {
    SizedRecording expandable =
        training(3, 3)
            .recorded("batch=3", Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"));
    SizedRecording plain = training(2, 3).recorded("batch=2");
    for (List<SizedRecording> order :
        List.of(List.of(plain, expandable), List.of(expandable, plain))) {
      assertThat(Plan.of(order, new Progress()).recordedSettings("batch", Map.of()).settings())
          .contains("expandable_segments:True");
    }
  }

  @Test
  void slowGrowthHasALargestValue() throws PlanRefusedException {
    Plan plan =
        Plan.of(List.of(slow(2).recorded("batch=2"), slow(3).recorded("batch=3")), new Progress());
    LargestValue largest = answer(plan, Map.of(), mebibytes(64 << 10)).largest().getFirst();
    assertThat(largest.isUnlimited()).isFalse();
    assertThat(largest.value().orElse(0)).isGreaterThan(1L << 33);
    assertThat(largest.failing()).isNotNull();
    LargestValue end = answer(plan, Map.of(), mebibytes(6 << 20)).largest().getFirst();
    assertThat(end.end()).isEqualTo(LargestValue.End.AT_LEAST);
    assertThat(PlanSentence.of(end)).startsWith("At least batch 1,000,000,000,000 fits 6 TiB");
  }

  private static Program slow(long batch) {
    Program program = new Program().allocate("weights", 1, 100 * MIB);
    for (int step = 0; step < 3; step++) {
      program.allocate("ids", 10, 4 * batch).free("ids");
    }
    return program;
  }

  @Test
  void aDeviceBeyondTheSimulatedOnesIsRefused() {
    assertThatThrownBy(() -> answer(plan(3), Map.of(), mebibytes(17 << 20)))
        .hasMessageContaining("is larger than 16 TiB, the most that is simulated");
  }

  @Test
  void everySettingHasACurve() throws PlanRefusedException {
    PlanAnswer answer =
        PlanAnswer.of(
            plan(3),
            new PlanQuestion(
                "batch",
                Map.of(),
                List.of(mebibytes(2000)),
                List.of(new Variant.Caching(""), new Variant.Caching("expandable_segments:True"))),
            new Progress(),
            /* threads= */ 2);
    assertThat(answer.curve().stream().map(Prediction::variant).distinct()).hasSize(2);
  }

  @Test
  void otherParameters() throws PlanRefusedException {
    assertRefused(
        "batch=2.pickle has the parameters batch, length=3.pickle has length",
        training(2, 3).recorded("batch=2"),
        training(3, 3).recorded("length=3"));
  }

  @Test
  void aRecordingInMidRunIsAnEstimate() throws PlanRefusedException {
    SizedRecording first = midRun(2).recorded("batch=2");
    SizedRecording second = midRun(3).recorded("batch=3");
    AnswerBasis basis =
        answer(Plan.of(List.of(first, second), new Progress()), Map.of("batch", 4L)).basis();
    assertThat(basis.notes())
        .anyMatch(note -> note.contains("begins in mid-run: 30 MiB were allocated before"));
  }

  /** 30 MiB that are older than the recording are freed in it. */
  private static Program midRun(long batch) {
    Program program = training(batch, 3);
    return program.freeEarlier(4096, 30 * MIB);
  }

  @Test
  void aFullRingCannotBePlanned() throws PlanRefusedException {
    Map<String, String> overflowed = Map.of("trace_alloc_overflowed", "True");
    assertRefused(
        "begins in mid-run: its buffer of",
        midRun(2).recorded("batch=2", overflowed),
        midRun(3).recorded("batch=3", overflowed));
  }

  @Test
  void differentSettingsAreNamed() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(
                training(2, 3).recorded("batch=2"),
                training(3, 3)
                    .recorded(
                        "batch=3", Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"))),
            new Progress());
    assertThat(answer(plan, Map.of("batch", 4L)).basis().notes())
        .anyMatch(note -> note.contains("different settings") && note.contains("expandable"));
  }

  @Test
  void aRecordingThatFailedIsNotTheTemplate() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(
                training(2, 3).recorded("batch=2"),
                training(3, 3).recorded("batch=3"),
                training(8, 1).fail(10, 80 * MIB).recorded("batch=8")),
            new Progress());
    AnswerBasis basis = answer(plan, Map.of("batch", 8L)).basis();
    assertThat(basis.template().values().get("batch")).isEqualTo(3);
    assertThat(basis.notes()).anyMatch(note -> note.startsWith("In batch=8.pickle a request"));
  }

  @Test
  void aValueOfAParameterThatDoesNotDifferIsRefused() throws PlanRefusedException {
    Plan plan =
        Plan.of(
            List.of(
                training(2, 3).recorded("batch=2,length=512"),
                training(3, 3).recorded("batch=3,length=512")),
            new Progress());
    assertThat(plan.varying()).containsExactly("batch");
    assertThat(answer(plan, Map.of("batch", 4L, "length", 512L)).askedValues().get("batch"))
        .isEqualTo(4);
    assertThatThrownBy(() -> answer(plan, Map.of("batch", 4L, "length", 1024L)))
        .hasMessage("All recordings have length 512: nothing is known about length 1024.");
    assertThatThrownBy(() -> answer(plan, Map.of("width", 4L)))
        .hasMessage("The recordings have no parameter 'width'.");
  }
}
