package dev.vramscope.compiled.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.scaling.ProgramPlan.Certainty;
import dev.vramscope.compiled.scaling.ProgramPlan.Place;
import dev.vramscope.compiled.scaling.UseTrend.Basis;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Three functions of JAX 0.10.2, compiled at 4 to 256: some of the programs predict all memory of
 * the others. Each tolerance is the measured one, rounded up.
 */
class ProgramPlanTruthTest {
  /**
   * Buffers are scaled.
   *
   * @param first of the programs that predict
   * @param last of them
   * @param value that is predicted
   * @param percent how far off the estimate is at most
   */
  @ParameterizedTest
  @CsvSource({
    "mlp_batch, 4, 16, 32, 0.1",
    "mlp_batch, 4, 16, 64, 0.1",
    "mlp_batch, 4, 16, 128, 0.2",
    "mlp_batch, 4, 16, 256, 0.2",
    "mlp_batch, 4, 8, 256, 8.7",
    "attention_batch, 4, 16, 32, 0.1",
    "attention_batch, 4, 16, 64, 5.3",
    "attention_batch, 4, 16, 128, 5.5",
    "attention_batch, 4, 16, 256, 5.6",
    "attention_batch, 16, 64, 256, 0.1",
    "attention_length, 4, 16, 32, 2.2",
    "attention_length, 4, 16, 64, 0.1",
    "attention_length, 4, 16, 128, 2.4",
    "attention_length, 4, 16, 256, 14.0",
    "attention_length, 16, 64, 256, 14.0",
  })
  void programsWithBuffersPredictLargerOnes(
      String function, long first, long last, long value, double percent) throws Exception {
    List<SizedProgram> all = SizedPrograms.ofDump(function);
    ProgramPlan plan = ProgramPlan.of(between(all, first, last));
    assertThat(Objects.requireNonNull(plan.trends().get(AllocationUse.TEMPORARY)).basis())
        .isEqualTo(Basis.BUFFERS);
    assertThat(Objects.requireNonNull(plan.trends().get(AllocationUse.ARGUMENT)).basis())
        .isEqualTo(Basis.BUFFERS);
    long truth = truth(plan, all, value);
    ByteEstimate estimate = plan.at(value);
    assertThat(plan.place(value)).isEqualTo(Place.ABOVE);
    double off = 100.0 * (likely(estimate) - truth) / truth;
    assertThat(Math.abs(off)).isLessThanOrEqualTo(percent);
    assertThat(truth).isBetween(estimate.least(), estimate.most());
    if (percent > 10) {
      assertThat(plan.certainty(value)).isEqualTo(Certainty.DOUBTFUL);
    }
  }

  /** The sums alone: a line where there is one, ranges where there is none. */
  @ParameterizedTest
  @CsvSource({
    "mlp_batch, LINE, 32, 0.6",
    "mlp_batch, LINE, 256, 3.9",
    "attention_batch, NONE, 32, -1",
    "attention_batch, NONE, 256, -1",
    "attention_length, NONE, 32, -1",
    "attention_length, NONE, 256, -1",
  })
  void sumsOfThreeProgramsPredictOrSayThatNoLawFits(
      String function, Basis basis, long value, double percent) throws Exception {
    List<SizedProgram> all = SizedPrograms.ofSums(function);
    ProgramPlan plan = ProgramPlan.of(between(all, 4, 16));
    assertThat(Objects.requireNonNull(plan.trends().get(AllocationUse.TEMPORARY)).basis())
        .isEqualTo(basis);
    ByteEstimate estimate = plan.at(value);
    long truth = truth(plan, all, value);
    assertThat(truth).isBetween(estimate.least(), estimate.most());
    if (percent < 0) {
      assertThat(estimate.likely()).isNull();
      assertThat(plan.certainty(value)).isEqualTo(Certainty.DOUBTFUL);
    } else {
      double off = 100.0 * (likely(estimate) - truth) / truth;
      assertThat(Math.abs(off)).isLessThanOrEqualTo(percent);
    }
  }

  /** Memory in the middle between two programs: the smaller one is the largest that fits. */
  @ParameterizedTest
  @CsvSource({"mlp_batch", "attention_batch", "attention_length"})
  void theLargestThatFitsIsTheTrueOneAmongTheCompiled(String function) throws Exception {
    List<SizedProgram> all = SizedPrograms.ofDump(function);
    ProgramPlan plan = ProgramPlan.of(between(all, 4, 16));
    for (int i = 0; i + 1 < all.size(); i++) {
      long memory = (plan.statedBytes(all.get(i)) + plan.statedBytes(all.get(i + 1))) / 2;
      LargestSize largest = plan.largest(memory);
      Long value = largest.value();
      assertThat(value).as("%s of %d", largest, memory).isNotNull();
      assertThat(value)
          .as("%s of %d", largest, memory)
          .isGreaterThanOrEqualTo(all.get(i).value())
          .isLessThan(all.get(i + 1).value());
      assertThat(value).isBetween(largest.least(), largest.most());
    }
  }

  @Test
  void statedBytesAreThoseOfJax() throws Exception {
    JsonNode truth =
        JsonMapper.shared()
            .readTree(Files.readString(TestData.file("xla/jax_sizes/truth.json")))
            .path("sums");
    for (String function : List.of("mlp_batch", "attention_batch", "attention_length")) {
      List<SizedProgram> dump = SizedPrograms.ofDump(function);
      ProgramPlan plan = ProgramPlan.of(dump);
      ProgramPlan ofSums = ProgramPlan.of(SizedPrograms.ofSums(function));
      assertThat(ofSums.isOfSums()).isTrue();
      for (int i = 0; i < dump.size(); i++) {
        long value = dump.get(i).value();
        long temporary =
            truth.path(function).path(String.valueOf(value)).path("temp_size").asLong();
        assertThat(plan.statedBytes(dump.get(i), AllocationUse.TEMPORARY)).isEqualTo(temporary);
        SizedProgram same = ofSums.programs().get(i);
        assertThat(ofSums.statedBytes(same, AllocationUse.TEMPORARY)).isEqualTo(temporary);
        assertThat(plan.at(value).likely()).isEqualTo(plan.statedBytes(dump.get(i)));
        assertThat(plan.certainty(value)).isEqualTo(Certainty.STATED);
      }
    }
  }

  private static List<SizedProgram> between(List<SizedProgram> all, long first, long last) {
    return all.stream().filter(each -> first <= each.value() && each.value() <= last).toList();
  }

  private static long truth(ProgramPlan plan, List<SizedProgram> all, long value) {
    return plan.statedBytes(between(all, value, value).getFirst());
  }

  private static long likely(ByteEstimate estimate) {
    return Objects.requireNonNull(estimate.likely());
  }
}
