package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs of the Hugging Face kind that ran out of memory, whose truth was found by running them.
 */
class HuggingFaceProgramsTest {
  static Stream<RecordedFailure> failing() {
    return RecordedFailure.all("hf").filter(failure -> failure.truth().path("cause").isString());
  }

  @ParameterizedTest
  @MethodSource("failing")
  void causesAreTheTrueOnes(RecordedFailure failure) {
    OomReport report = failure.report();
    assertThat(report.verdict().cause())
        .as(report.verdict().sentence() + " also " + report.alsoPresent())
        .isEqualTo(Cause.valueOf(failure.truth().path("cause").asString()));
  }

  static Stream<RecordedFailure> unseen() {
    return RecordedFailure.all("programs-unseen");
  }

  @ParameterizedTest
  @MethodSource("unseen")
  void causesOfOtherAuthorsAreTheTrueOnes(RecordedFailure failure) {
    OomReport report = failure.report();
    List<Cause> right = new ArrayList<>();
    right.add(Cause.valueOf(failure.truth().path("cause").asString()));
    failure.truth().path("alt").forEach(cause -> right.add(Cause.valueOf(cause.asString())));
    assertThat(right)
        .as(report.verdict().sentence() + " also " + report.alsoPresent())
        .contains(report.verdict().cause());
  }

  /** The recording of this one begins after its first steps. */
  static Stream<RecordedFailure> recordedFromTheStart() {
    return Stream.concat(failing(), unseen())
        .filter(failure -> !failure.name().equals("server_keeps_past"));
  }

  @ParameterizedTest
  @MethodSource("recordedFromTheStart")
  void stepsAreCounted(RecordedFailure failure) {
    DeviceSnapshot device = failure.snapshot().devices().getFirst();
    Steps steps = RecordedHistory.of(failure.snapshot().stacks(), device).steps();
    int event = device.trace().ooms().getFirst().event();
    assertThat(steps.before(event).count())
        .isEqualTo(failure.truth().path("failedAtStep").asInt(-1));
  }

  @ParameterizedTest
  @CsvSource({"healthy_vit, 5", "healthy_trainer_lora, 5", "healthy_generate, 6"})
  void stepsOfProgramsThatEndAreCounted(String name, int count) {
    RecordedFailure program =
        RecordedFailure.all("hf")
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    DeviceSnapshot device = program.snapshot().devices().getFirst();
    Steps steps = RecordedHistory.of(program.snapshot().stacks(), device).steps();
    assertThat(steps.startCount()).isEqualTo(count);
    assertThat(steps.source()).isEqualTo(Steps.Source.LOOPS);
  }
}
