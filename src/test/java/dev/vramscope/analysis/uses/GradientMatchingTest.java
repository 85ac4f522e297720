package dev.vramscope.analysis.uses;

import static dev.vramscope.analysis.uses.TrainingTrace.BACKWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.INIT;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GradientMatchingTest {
  private final TrainingTrace trace = new TrainingTrace();

  private long count(Use use) {
    return trace.uses().values().stream().filter(use::equals).count();
  }

  @Test
  void parametersOfOneSizeHaveOneGradientEach() {
    trace.allocate("first", 4096, INIT, MAIN);
    trace.allocate("second", 4096, INIT, MAIN);
    trace.allocate("activation", 500, FORWARD, MAIN);
    for (int i = 0; i < 3; i++) {
      trace.allocate("result " + i, 4096);
    }
    assertThat(trace.uses())
        .containsEntry("result 0", Use.GRADIENTS)
        .containsEntry("result 1", Use.GRADIENTS)
        .containsEntry("result 2", Use.NO_STACK);
  }

  @Test
  void sizesAreComparedExactly() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("activation", 500, FORWARD, MAIN);
    trace.allocate("smaller", 4095);
    trace.allocate("larger", 4097);
    trace.allocate("equal", 4096);
    assertThat(trace.uses())
        .containsEntry("smaller", Use.NO_STACK)
        .containsEntry("larger", Use.NO_STACK)
        .containsEntry("equal", Use.GRADIENTS);
  }

  @Test
  void parameterIsFreeForTheNextGradientWhenOneEnds() {
    trace.allocate("weight", 4096, INIT, MAIN);
    for (int step = 0; step < 3; step++) {
      trace.allocate("activation " + step, 500, FORWARD, MAIN);
      trace.allocate("gradient " + step, 4096);
      trace.allocate("loss " + step, 4, MAIN);
      trace.free("activation " + step, "gradient " + step);
    }
    assertThat(count(Use.GRADIENTS)).isEqualTo(3);
  }

  @Test
  void accumulatedGradientIsMadeOnce() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("activation 0", 500, FORWARD, MAIN);
    trace.allocate("gradient", 4096);
    trace.allocate("activation 1", 500, FORWARD, MAIN);
    trace.allocate("kept result", 4096);
    trace.allocate("activation 2", 500, FORWARD, MAIN);
    assertThat(trace.uses())
        .containsEntry("gradient", Use.GRADIENTS)
        .containsEntry("kept result", Use.NO_STACK);
  }

  @Test
  void parameterThatIsFreedHasNoGradient() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("other", 4096, INIT, MAIN);
    trace.free("weight", "other");
    trace.allocate("activation", 500, FORWARD, MAIN);
    trace.allocate("result", 4096);
    assertThat(count(Use.GRADIENTS)).isZero();
  }

  @Test
  void resultThatIsFreedWithinTheLastBackwardPassIsNoGradient() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("activation", 500, FORWARD, MAIN);
    trace.allocate("result", 4096);
    trace.free("result");
    trace.allocate("within", 4096, BACKWARD);
    trace.free("within");
    trace.allocate("gradient", 4096, BACKWARD);
    assertThat(trace.uses())
        .containsEntry("result", Use.NO_STACK)
        .containsEntry("within", Use.TEMPORARY)
        .containsEntry("gradient", Use.GRADIENTS);
  }

  @Test
  void memoryWithAStackOutsideTheBackwardPassIsNoGradient() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("activation", 4096, FORWARD, MAIN);
    trace.allocate("batch", 4096, MAIN);
    assertThat(trace.uses())
        .isEqualTo(
            Map.of("weight", Use.PARAMETERS, "activation", Use.ACTIVATIONS, "batch", Use.OTHER));
  }

  @Test
  void declaredGradientTakesThePlaceOfAnother() {
    trace.allocate("weight", 4096, INIT, MAIN);
    trace.allocate("activation", 500, FORWARD, MAIN);
    trace.declare("declared", 4096, "gradient");
    trace.declare("declared otherwise", 4096, "temporary");
    trace.allocate("result", 4096);
    assertThat(trace.uses())
        .containsEntry("declared", Use.GRADIENTS)
        .containsEntry("declared otherwise", Use.TEMPORARY)
        .containsEntry("result", Use.NO_STACK);
  }
}
