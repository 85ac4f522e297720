package dev.vramscope.analysis.uses;

import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspacesTest {
  private static final long HOPPER = 32L << 20;
  private static final Frame OTHER_LAYER = new Frame("forward", "/home/me/model.py", 40);

  private final TrainingTrace trace = new TrainingTrace();

  private void freedOutput(String name, Frame layer) {
    trace.allocate(name, 1000, layer, MAIN);
    trace.free(name);
  }

  @ParameterizedTest
  @ValueSource(longs = {(2 * 4096 + 8 * 16) * 1024, HOPPER})
  void workspaceHasADefaultSizeOfCublas(long bytes) {
    trace.allocate("workspace", bytes, FORWARD, MAIN);
    freedOutput("output", FORWARD);
    assertThat(trace.uses()).containsEntry("workspace", Use.WORKSPACES);
  }

  @ParameterizedTest
  @ValueSource(longs = {HOPPER - 1, HOPPER + 1, HOPPER / 2, 4096 * 1024})
  void otherSizesAreActivations(long bytes) {
    trace.allocate("kept", bytes, FORWARD, MAIN);
    freedOutput("output", FORWARD);
    assertThat(trace.uses()).containsEntry("kept", Use.ACTIVATIONS);
  }

  @Test
  void outputOfAStackThatFreesNothingIsAnActivation() {
    trace.allocate("kept", HOPPER, FORWARD, MAIN);
    trace.allocate("output", 1000, FORWARD, MAIN);
    freedOutput("of another layer", OTHER_LAYER);
    assertThat(trace.uses()).containsEntry("kept", Use.ACTIVATIONS);
  }

  @Test
  void outputThatIsFreedIsNoWorkspace() {
    trace.allocate("freed", HOPPER, FORWARD, MAIN);
    trace.free("freed");
    trace.allocate("kept", HOPPER, FORWARD, MAIN);
    assertThat(trace.uses())
        .containsEntry("freed", Use.TEMPORARY)
        .containsEntry("kept", Use.WORKSPACES);
  }

  @Test
  void streamHasOneWorkspaceTheFirst() {
    trace.allocate("first", HOPPER, FORWARD, MAIN);
    trace.allocate("second", HOPPER, OTHER_LAYER, MAIN);
    freedOutput("output", FORWARD);
    freedOutput("other output", OTHER_LAYER);
    assertThat(trace.uses())
        .containsEntry("first", Use.WORKSPACES)
        .containsEntry("second", Use.ACTIVATIONS);
  }

  @Test
  void everyStreamHasItsOwn() {
    trace.allocateOnStream(0, "of the first", HOPPER, FORWARD, MAIN);
    trace.allocateOnStream(7, "of the second", HOPPER, OTHER_LAYER, MAIN);
    freedOutput("output", FORWARD);
    freedOutput("other output", OTHER_LAYER);
    assertThat(trace.uses())
        .containsEntry("of the first", Use.WORKSPACES)
        .containsEntry("of the second", Use.WORKSPACES);
  }

  @Test
  void declaredActivationStaysOne() {
    trace.declare("declared", HOPPER, "activation", FORWARD, MAIN);
    freedOutput("output", FORWARD);
    assertThat(trace.uses()).containsEntry("declared", Use.ACTIVATIONS);
  }

  @Test
  void framesOfCublasNeedNoSize() {
    trace.allocate(
        "by name",
        777,
        new Frame("at::cuda::getCurrentCUDABlasHandle()", "??", 0),
        new Frame("forward", "/home/me/model.py", 20),
        MAIN);
    assertThat(trace.uses()).containsEntry("by name", Use.WORKSPACES);
  }
}
