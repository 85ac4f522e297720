package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.BlankedRecording.Missing;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Failures with known causes, each without every one and every two of its parts: the verdict is
 * still the true one or it is not certain.
 */
class BlankedCausesTest {
  static Stream<RecordedFailure> failures() {
    return Stream.of("ooms", "programs", "failures")
        .flatMap(RecordedFailure::all)
        .filter(failure -> !failure.truth().path("message").isNull());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatIsMissingNeverMakesAWrongCauseCertain(RecordedFailure failure) {
    BlankedRecording whole = BlankedRecording.of(failure);
    JsonNode known = failure.truth().path("cause");
    Cause truth =
        known.isString() ? Cause.valueOf(known.asString()) : whole.report().verdict().cause();
    List<String> wrong = new ArrayList<>();
    for (Missing first : Missing.values()) {
      for (Missing second : Missing.values()) {
        if (first.compareTo(second) <= 0 && first.isVisibleWithout(second)) {
          Verdict verdict =
              first == second
                  ? whole.without(first).report().verdict()
                  : whole.without(first).without(second).report().verdict();
          if (verdict.cause() != truth && verdict.certainty() == Certainty.CERTAIN) {
            wrong.add(first + " and " + second + ": " + verdict.sentence());
          }
        }
      }
    }
    assertThat(wrong).as("without these, instead of %s", truth).isEmpty();
  }
}
