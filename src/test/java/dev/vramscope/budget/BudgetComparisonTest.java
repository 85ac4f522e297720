package dev.vramscope.budget;

import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.INIT;
import static dev.vramscope.analysis.uses.TrainingTrace.LOAD;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static dev.vramscope.analysis.uses.TrainingTrace.STATE;
import static dev.vramscope.analysis.uses.TrainingTrace.optimizerState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.BudgetComparison.Expectation;
import dev.vramscope.model.Frame;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetComparisonTest {
  private static final long MIB = 1 << 20;
  private static final Frame TRAINER = new Frame("_init_state", "/home/me/optimizer.py", 8);

  private final TrainingBudget trace = new TrainingBudget();

  private BudgetComparison comparison() {
    return trace.budget().comparison();
  }

  private Expectation expectation(Use use) {
    return comparison().of(use).orElseThrow();
  }

  /** A parameter of 100 MiB, one activation, and the gradient of the parameter. */
  private void backward() {
    trace.allocate("weight", 100 * MIB, INIT, MAIN);
    trace.allocate("activation", MIB, FORWARD, MAIN);
    trace.allocate("gradient", 100 * MIB);
  }

  @Test
  void nothingIsExpectedWithoutTraining() {
    trace.allocate("weight", 100 * MIB, INIT, MAIN);
    trace.allocate("activation", MIB, FORWARD, MAIN);
    assertThat(comparison()).isEqualTo(new BudgetComparison(List.of(), ""));
  }

  @Test
  void gradientsAreAsManyBytesAsTheParameters() {
    backward();
    assertThat(comparison().expectations())
        .containsExactly(
            new Expectation(
                Use.GRADIENTS, 100 * MIB, 100 * MIB, "as many bytes as the parameters", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "adam, Adam or AdamW keeps two values a parameter, 2",
    "adamw, AdamW keeps two values a parameter, 2",
    "rmsprop, RMSprop keeps one value a parameter, 1",
    "sgd, SGD with momentum keeps one value a parameter, 1",
  })
  void stateIsWhatTheOptimizerKeeps(String optimizer, String rule, int values) {
    backward();
    trace.allocate("state", values * 100 * MIB, optimizerState(optimizer), MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE))
        .isEqualTo(
            new Expectation(Use.OPTIMIZER_STATE, values * 100 * MIB, values * 100 * MIB, rule, ""));
  }

  @Test
  void stateOfAnUnknownOptimizerIsNotCompared() {
    backward();
    trace.allocate("state", 300 * MIB, TRAINER, MAIN);
    assertThat(trace.budget().bytes(Use.OPTIMIZER_STATE)).isEqualTo(300 * MIB);
    assertThat(comparison().of(Use.OPTIMIZER_STATE)).isEmpty();
    assertThat(comparison().of(Use.GRADIENTS)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "98, ''",
    "102, ''",
    "97, 'The backward pass has not made all of them yet, or some parameters are not trained.'",
    "103, 'More than one gradient for some parameters.'",
  })
  void gradientsMayDifferByTwoPercent(long mebibytes, String difference) {
    trace.allocate("weight", 100 * MIB, INIT, MAIN);
    trace.allocate("activation", MIB, FORWARD, MAIN);
    trace.declare("gradient", mebibytes * MIB, "gradient");
    assertThat(expectation(Use.GRADIENTS).measuredBytes()).isEqualTo(mebibytes * MIB);
    assertThat(expectation(Use.GRADIENTS).difference()).isEqualTo(difference);
  }

  @Test
  void momentWithoutGradientsSaysSo() {
    backward();
    trace.allocate("state", 200 * MIB, STATE, MAIN);
    trace.free("gradient");
    assertThat(expectation(Use.GRADIENTS).measuredBytes()).isZero();
    assertThat(expectation(Use.GRADIENTS).difference())
        .startsWith("No gradients are live at this moment");
    assertThat(expectation(Use.OPTIMIZER_STATE).difference()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "adam, 400, Twice the expected bytes: as if 16-bit parameters have a state of 32-bit values.",
    "adam, 600, As if 16-bit parameters have a state of 32-bit values and a 32-bit master copy.",
    "adam, 300, Three values a parameter: as with amsgrad=True.",
    "adam, 500, 300 MiB more than expected.",
    "sgd, 200, Twice the expected bytes: as if 16-bit parameters have a state of 32-bit values.",
    "sgd, 400, As if 16-bit parameters have a state of 32-bit values and a 32-bit master copy.",
    "sgd, 300, 200 MiB more than expected.",
  })
  void moreStateIsExplained(String optimizer, long mebibytes, String difference) {
    backward();
    trace.allocate("state", mebibytes * MIB, optimizerState(optimizer), MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE).difference()).isEqualTo(difference);
  }

  @Test
  void missingStateIsSaid() {
    backward();
    trace.allocate("state", 50 * MIB, STATE, MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE).difference())
        .startsWith("150 MiB less than expected: the first step of the optimizer makes the state");
  }

  @Test
  void failureInTheFirstStepExplainsMissingState() {
    backward();
    trace.allocate("state", 50 * MIB, STATE, MAIN);
    trace.fail(50 * MIB, STATE, MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE).difference())
        .isEqualTo(
            "The optimizer was making its state when the request failed: 150 MiB were missing.");
  }

  @Test
  void failureElsewhereDoesNotExplainMissingState() {
    backward();
    trace.allocate("state", 50 * MIB, STATE, MAIN);
    trace.fail(50 * MIB, FORWARD, MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE).difference()).contains("less than expected");
  }

  @Test
  void failureInOtherCodeThatMakesStateDoesNotExplainMissingState() {
    backward();
    trace.allocate("state", 50 * MIB, STATE, MAIN);
    trace.fail(50 * MIB, new Frame("_init_state", "/home/me/model.py", 8), MAIN);
    assertThat(expectation(Use.OPTIMIZER_STATE).difference()).contains("less than expected");
  }

  @Test
  void nothingIsExpectedWithoutParameters() {
    trace.declare("gradient", MIB, "gradient");
    assertThat(comparison().expectations()).isEmpty();
    assertThat(comparison().reason()).startsWith("No parameters were identified");
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "3, false"})
  void nothingIsExpectedIfOlderMemoryMayBeParameters(long mebibytes, boolean isExpected) {
    backward();
    int event = trace.allocate("batch", MIB, MAIN);
    trace.freeEarlier(mebibytes * MIB);
    BudgetComparison comparison = trace.budgetAfter(event).comparison();
    assertThat(comparison.expectations().isEmpty()).isEqualTo(!isExpected);
    if (!isExpected) {
      assertThat(comparison.reason()).startsWith("Parameters may be among the 3 MiB");
    }
  }

  @Test
  void nothingIsExpectedOfParametersThatOnlyLiveLong() {
    trace.allocate("weight", 100 * MIB, LOAD, MAIN);
    trace.allocate("activation", MIB, FORWARD, MAIN);
    trace.allocate("gradient", 100 * MIB);
    assertThat(trace.budget().bytes(Use.PARAMETERS)).isEqualTo(100 * MIB);
    assertThat(trace.budget().bytes(Use.GRADIENTS)).isEqualTo(100 * MIB);
    assertThat(comparison().expectations()).isEmpty();
    assertThat(comparison().reason()).startsWith("Most parameters are identified only by how long");
  }
}
