package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.postmortem.cause.Counterfactuals.Answer;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Programs that failed in PyTorch itself ({@code src/test/realtorch/failures}): the cause is the
 * one that each program was made for, and what else would have served the request is what PyTorch
 * did when it was run again.
 */
class RecordedCausesTest {
  static Stream<RecordedFailure> failures() {
    return RecordedFailure.all("failures");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void theCauseIsTheOneThatTheProgramWasMadeFor(RecordedFailure failure) {
    JsonNode cause = failure.truth().path("cause");
    OomReport report = failure.report();
    if (!cause.isNull()) {
      assertThat(report.verdict().cause())
          .as(report.verdict().sentence())
          .isEqualTo(Cause.valueOf(cause.asString()));
    }
    List<Cause> present = new ArrayList<>();
    failure
        .truth()
        .path("alsoPresent")
        .forEach(name -> present.add(Cause.valueOf(name.asString())));
    assertThat(report.alsoPresent()).containsAll(present);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatWouldHaveServedTheRequestIsWhatPyTorchDid(RecordedFailure failure) {
    OomReport report = failure.report();
    for (Name name : Name.values()) {
      JsonNode truth = failure.truth().path("counterfactuals").path(name.id());
      if (truth.isBoolean()) {
        assertThat(report.counterfactuals().row(name).answer())
            .as(name + ": " + report.counterfactuals().row(name).sentence())
            .isEqualTo(truth.asBoolean() ? Answer.YES : Answer.NO);
      }
    }
  }
}
