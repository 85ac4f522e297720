package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.Counterfactuals.Answer;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Counterfactuals.Row;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Failures of PyTorch's own allocator ({@code ooms}) and of real programs ({@code programs}), whose
 * causes and counterfactuals are known.
 */
class KnownCausesTest {
  static Stream<RecordedFailure> ooms() {
    return RecordedFailure.all("ooms");
  }

  static Stream<RecordedFailure> programs() {
    return RecordedFailure.all("programs")
        .filter(failure -> !failure.truth().path("message").isNull());
  }

  private static List<Cause> alsoPresent(RecordedFailure failure) {
    List<Cause> causes = new ArrayList<>();
    failure.truth().path("alsoPresent").forEach(name -> causes.add(Cause.valueOf(name.asString())));
    return causes;
  }

  @ParameterizedTest
  @MethodSource("ooms")
  void causesAreThoseOfTheOriginal(RecordedFailure failure) {
    OomReport report = failure.report();
    assertThat(report.verdict().cause())
        .as(report.verdict().sentence())
        .isEqualTo(Cause.valueOf(failure.truth().path("cause").asString()));
    assertThat(report.alsoPresent()).isEqualTo(alsoPresent(failure));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void causesOfProgramsAreThoseThatTheyWereWrittenFor(RecordedFailure failure) {
    JsonNode cause = failure.truth().path("cause");
    OomReport report = failure.report();
    if (!cause.isNull()) {
      assertThat(report.verdict().cause())
          .as(report.verdict().sentence())
          .isEqualTo(Cause.valueOf(cause.asString()));
    }
  }

  @ParameterizedTest
  @MethodSource("ooms")
  void counterfactualsAreThoseOfTheOriginal(RecordedFailure failure) {
    Counterfactuals counterfactuals = failure.report().counterfactuals();
    for (Name name : Name.values()) {
      JsonNode truth = failure.truth().path("counterfactuals").path(name.id());
      if (truth.isBoolean()) {
        Row row = counterfactuals.row(name);
        assertThat(row.answer())
            .as(name + ": " + row.sentence())
            .isEqualTo(truth.asBoolean() ? Answer.YES : Answer.NO);
      }
    }
  }

  /** Without the size, memory that others hold looks like a smaller device. */
  @ParameterizedTest
  @MethodSource("ooms")
  void withoutTheSizeOfTheDeviceTheCauseIsTheSameOrNotCertain(RecordedFailure failure) {
    OomReport report = failure.report(OptionalLong.empty());
    Cause truth = Cause.valueOf(failure.truth().path("cause").asString());
    if (truth == Cause.OUTSIDE_ALLOCATOR) {
      assertThat(report.verdict().cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    } else {
      assertThat(report.verdict().cause()).as(report.verdict().sentence()).isEqualTo(truth);
    }
    boolean needsSize =
        switch (report.verdict().cause()) {
          case TOO_MUCH_LIVE, LEAK, SPIKE, LIMIT, REQUEST_EXCEEDS_DEVICE -> true;
          default -> false;
        };
    if (needsSize) {
      assertThat(report.verdict().certainty())
          .isEqualTo(
              report.verdict().cause() == Cause.TOO_MUCH_LIVE
                  ? Certainty.UNDECIDED
                  : Certainty.LIKELY);
      assertThat(report.verdict().caveats()).isNotEmpty();
    }
    for (Row row : report.counterfactuals().rows()) {
      JsonNode answer = failure.truth().path("counterfactuals").path(row.name().id());
      if (answer.isBoolean() && (row.answer() == Answer.YES || row.answer() == Answer.NO)) {
        assertThat(row.answer() == Answer.YES).as(row.sentence()).isEqualTo(answer.asBoolean());
      }
    }
  }
}
