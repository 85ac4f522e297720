package dev.vramscope.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsesTest {
  private static final Frame MAIN = new Frame("main", "/home/me/train.py", 3);
  private static final Frame LOAD = new Frame("load", "/home/me/train.py", 9);
  private static final Frame INIT = new Frame("__init__", "/home/me/model.py", 5);
  private static final Frame FORWARD = new Frame("forward", "/home/me/model.py", 20);
  private static final Frame BACKWARD = new Frame("backward", "/home/me/attention.py", 80);
  private static final Frame STEP =
      new Frame("_multi_tensor_adam", "/x/site-packages/torch/optim/adam.py", 790);
  private static final Frame STATE =
      new Frame("_init_group", "/x/site-packages/torch/optim/adam.py", 178);

  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Trace.Builder trace = new Trace.Builder();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();

  private void allocate(String name, long bytes, Frame... innermostFirst) {
    long address = (names.size() + 1L) << 30;
    int event = trace.add(TraceAction.ALLOC, address, bytes);
    trace.stack(event, stacks.stack(List.of(innermostFirst)));
    names.add(name);
    addresses.put(name, address);
    sizes.put(name, bytes);
  }

  private void declare(String name, long bytes, String metadata, Frame... innermostFirst) {
    allocate(name, bytes, innermostFirst);
    trace.userMetadata(trace.size() - 1, metadata);
  }

  private void free(String... freed) {
    for (String name : freed) {
      long address = addresses.getOrDefault(name, 0L);
      trace.add(TraceAction.FREE_REQUESTED, address, sizes.getOrDefault(name, 0L));
      trace.add(TraceAction.FREE_COMPLETED, address, sizes.getOrDefault(name, 0L));
    }
  }

  private Map<String, Use> uses() {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    Uses uses =
        Uses.of(
            lifetimes,
            FrameRules.standard().classify(stacks.build()),
            device.trace().userMetadata());
    Map<String, Use> found = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      found.put(names.get(row), uses.use(row));
    }
    return found;
  }

  @Test
  void gradientIsOfTheSizeOfAParameterAndOutlivesTheBackwardPass() {
    allocate("weight", 4000, INIT, MAIN);
    allocate("bias", 400, INIT, MAIN);
    allocate("activation", 9000, FORWARD, MAIN);
    allocate("result", 4000);
    free("result");
    allocate("weight gradient", 4000);
    allocate("second of its size", 4000);
    allocate("other size", 4004);
    allocate("bias gradient", 400, BACKWARD);
    allocate("within", 400, BACKWARD);
    free("activation", "within");
    allocate("state", 4000, STATE, MAIN);
    free("weight gradient", "second of its size");
    allocate("next activation", 9000, FORWARD, MAIN);
    allocate("next gradient", 4000);
    assertThat(uses())
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
    allocate("weight", 4000, INIT, MAIN);
    allocate("state by name", 4000, STATE, MAIN);
    allocate("result", 4000, STEP, MAIN);
    allocate("kept", 4000, STEP, MAIN);
    free("result");
    allocate("activation", 100, FORWARD, MAIN);
    allocate("result at the end", 4000, STEP, MAIN);
    allocate("state at the end", 4000, STATE, MAIN);
    assertThat(uses())
        .containsEntry("state by name", Use.OPTIMIZER_STATE)
        .containsEntry("result", Use.TEMPORARY)
        .containsEntry("kept", Use.OPTIMIZER_STATE)
        .containsEntry("result at the end", Use.TEMPORARY)
        .containsEntry("state at the end", Use.OPTIMIZER_STATE);
  }

  @Test
  void parametersWithoutAKnownFrameLiveFromBeforeTheFirstActivation() {
    allocate("weight", 4000, LOAD, MAIN);
    allocate("batch", 100, MAIN);
    allocate("freed early", 4000, new Frame("read", "/home/me/train.py", 12), MAIN);
    free("freed early");
    for (int step = 0; step < 5; step++) {
      allocate("activation " + step, 500, FORWARD, MAIN);
      allocate("batch " + step, 100, MAIN);
      free("activation " + step);
    }
    assertThat(uses())
        .containsEntry("weight", Use.PARAMETERS)
        .containsEntry("batch", Use.OTHER)
        .containsEntry("freed early", Use.OTHER);
  }

  @Test
  void declaredUseComesFirst() {
    declare("a", 100, "{\"layer\": 3, \"category\": \"OPTIMIZER_STATE\"}", FORWARD, MAIN);
    declare("b", 100, "gradients", FORWARD, MAIN);
    declare("c", 100, "layer 7", FORWARD, MAIN);
    declare("d", 100, "category: activation");
    assertThat(uses())
        .containsEntry("a", Use.OPTIMIZER_STATE)
        .containsEntry("b", Use.GRADIENTS)
        .containsEntry("c", Use.ACTIVATIONS)
        .containsEntry("d", Use.ACTIVATIONS);
  }

  @Test
  void workspaceIsTheFirstKeptOneOfItsSizeWhereOthersAreFreed() {
    long workspace = 32L << 20;
    allocate("workspace", workspace, FORWARD, MAIN);
    allocate("output", 16L << 20, FORWARD, MAIN);
    allocate("kept output", workspace, FORWARD, MAIN);
    free("output");
    assertThat(uses())
        .containsEntry("workspace", Use.WORKSPACES)
        .containsEntry("kept output", Use.ACTIVATIONS);
  }
}
