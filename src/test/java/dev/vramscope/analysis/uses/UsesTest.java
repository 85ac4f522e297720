package dev.vramscope.analysis.uses;

import static dev.vramscope.analysis.uses.TrainingTrace.BACKWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.INIT;
import static dev.vramscope.analysis.uses.TrainingTrace.LOAD;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static dev.vramscope.analysis.uses.TrainingTrace.STATE;
import static dev.vramscope.analysis.uses.TrainingTrace.STEP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import org.junit.jupiter.api.Test;

class UsesTest {
  private final TrainingTrace trace = new TrainingTrace();

  @Test
  void gradientIsOfTheSizeOfAParameterAndOutlivesTheBackwardPass() {
    trace.allocate("weight", 4000, INIT, MAIN);
    trace.allocate("bias", 400, INIT, MAIN);
    trace.allocate("activation", 9000, FORWARD, MAIN);
    trace.allocate("result", 4000);
    trace.free("result");
    trace.allocate("weight gradient", 4000);
    trace.allocate("second of its size", 4000);
    trace.allocate("other size", 4004);
    trace.allocate("bias gradient", 400, BACKWARD);
    trace.allocate("within", 400, BACKWARD);
    trace.free("activation", "within");
    trace.allocate("state", 4000, STATE, MAIN);
    trace.free("weight gradient", "second of its size");
    trace.allocate("next activation", 9000, FORWARD, MAIN);
    trace.allocate("next gradient", 4000);
    assertThat(trace.uses())
        .containsEntry("weight", Use.PARAMETERS)
        .containsEntry("result", Use.NO_STACK)
        .containsEntry("weight gradient", Use.GRADIENTS)
        .containsEntry("second of its size", Use.NO_STACK)
        .containsEntry("other size", Use.NO_STACK)
        .containsEntry("bias gradient", Use.GRADIENTS)
        .containsEntry("within", Use.TEMPORARY)
        .containsEntry("next gradient", Use.GRADIENTS);
  }

  @Test
  void optimizerStateOutlivesTheStep() {
    trace.allocate("weight", 4000, INIT, MAIN);
    trace.allocate("state by name", 4000, STATE, MAIN);
    trace.allocate("result", 4000, STEP, MAIN);
    trace.allocate("kept", 4000, STEP, MAIN);
    trace.free("result");
    trace.allocate("activation", 100, FORWARD, MAIN);
    trace.allocate("result at the end", 4000, STEP, MAIN);
    trace.allocate("state at the end", 4000, STATE, MAIN);
    assertThat(trace.uses())
        .containsEntry("state by name", Use.OPTIMIZER_STATE)
        .containsEntry("result", Use.TEMPORARY)
        .containsEntry("kept", Use.OPTIMIZER_STATE)
        .containsEntry("result at the end", Use.TEMPORARY)
        .containsEntry("state at the end", Use.OPTIMIZER_STATE);
  }

  @Test
  void parametersWithoutAKnownFrameLiveFromBeforeTheFirstActivation() {
    trace.allocate("weight", 4000, LOAD, MAIN);
    trace.allocate("batch", 100, MAIN);
    trace.allocate("freed early", 4000, new Frame("read", "/home/me/train.py", 12), MAIN);
    trace.free("freed early");
    for (int step = 0; step < 5; step++) {
      trace.allocate("activation " + step, 500, FORWARD, MAIN);
      trace.allocate("batch " + step, 100, MAIN);
      trace.free("activation " + step);
    }
    assertThat(trace.uses())
        .containsEntry("weight", Use.PARAMETERS)
        .containsEntry("batch", Use.OTHER)
        .containsEntry("freed early", Use.OTHER);
  }

  @Test
  void declaredUseComesFirst() {
    trace.declare("a", 100, "{\"layer\": 3, \"category\": \"OPTIMIZER_STATE\"}", FORWARD, MAIN);
    trace.declare("b", 100, "gradients", FORWARD, MAIN);
    trace.declare("c", 100, "layer 7", FORWARD, MAIN);
    trace.declare("d", 100, "category: activation");
    assertThat(trace.uses())
        .containsEntry("a", Use.OPTIMIZER_STATE)
        .containsEntry("b", Use.GRADIENTS)
        .containsEntry("c", Use.ACTIVATIONS)
        .containsEntry("d", Use.ACTIVATIONS);
  }

  @Test
  void workspaceIsTheFirstKeptOneOfItsSizeWhereOthersAreFreed() {
    long workspace = 32L << 20;
    trace.allocate("workspace", workspace, FORWARD, MAIN);
    trace.allocate("output", 16L << 20, FORWARD, MAIN);
    trace.allocate("kept output", workspace, FORWARD, MAIN);
    trace.free("output");
    assertThat(trace.uses())
        .containsEntry("workspace", Use.WORKSPACES)
        .containsEntry("kept output", Use.ACTIVATIONS);
  }
}
