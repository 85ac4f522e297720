package dev.vramscope.analysis.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Programs as their stacks show them, and the steps that they take. */
class LoopStepsTest {
  private static final String MODULE = "/site-packages/torch/nn/modules/module.py";
  private static final String OPTIMIZER = "/site-packages/torch/optim/adamw.py";

  private final Trace.Builder trace = new Trace.Builder();
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final List<Integer> expected = new ArrayList<>();
  private int events;

  /** The next event starts a step. */
  private void step() {
    expected.add(events);
  }

  /**
   * An allocation of 1 MiB.
   *
   * @param calls function and line of each frame, outermost first, such as "main:3"
   */
  private void allocate(String... calls) {
    int node = StackTable.NONE;
    for (String call : calls) {
      String name = call.substring(0, call.indexOf(':'));
      int line = Integer.parseInt(call.substring(name.length() + 1));
      String file =
          switch (name) {
            case "_call_impl" -> MODULE;
            case "step" -> OPTIMIZER;
            default -> "/home/u/" + name + ".py";
          };
      node = stacks.child(node, stacks.frame(new Frame(name, file, line)));
    }
    int row = trace.add(TraceAction.ALLOC, 0x10_0000L * ++events, 1 << 20);
    trace.stack(row, node);
  }

  /** A call of a model with two layers. */
  private void model(String... calls) {
    for (int layer = 0; layer < 2; layer++) {
      for (int line = 80; line <= 82; line++) {
        String[] inner = Arrays.copyOf(calls, calls.length + 2);
        inner[calls.length] = "_call_impl:1775";
        inner[calls.length + 1] = "forward:" + line;
        allocate(inner);
      }
    }
  }

  /** The backward pass runs in a thread without Python. */
  private void backward() {
    for (int i = 0; i < 4; i++) {
      allocate();
    }
  }

  private void optimizer(String... calls) {
    String[] inner = Arrays.copyOf(calls, calls.length + 1);
    for (int line = 120; line < 123; line++) {
      inner[calls.length] = "step:" + line;
      allocate(inner);
    }
  }

  private void train(String... calls) {
    model(calls);
    backward();
    optimizer(calls);
  }

  private Steps steps() {
    StackTable table = stacks.build();
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    return Steps.of(table, device, ActiveBytes.of(device, Lifetimes.of(device)));
  }

  private void check() {
    Steps steps = steps();
    assertThat(steps.source()).isEqualTo(Steps.Source.LOOPS);
    assertThat(steps.starts()).containsExactly(expected.stream().mapToInt(i -> i).toArray());
  }

  @Test
  void iterationsOfALoopAreSteps() {
    allocate("main:2");
    for (int i = 0; i < 3; i++) {
      step();
      allocate("main:5");
      train("main:6");
    }
    check();
  }

  /** The calls of a line go on in the order in which they were first made. */
  @Test
  void aLoopMayStandOnOneLine() {
    for (int i = 0; i < 4; i++) {
      step();
      allocate("main:5");
      model("main:5");
      allocate("main:5", "loss:3");
    }
    check();
  }

  @Test
  void theFirstStepOfAnOptimizerIsNoLoopOfSteps() {
    model("main:6");
    backward();
    for (int parameter = 0; parameter < 20; parameter++) {
      optimizer("main:7");
    }
    assertThat(steps().source()).isEqualTo(Steps.Source.NOT_FOUND);
  }

  @Test
  void epochsAreLeftForTheirBatchesAndValidation() {
    for (int epoch = 0; epoch < 5; epoch++) {
      for (int i = 0; i < 3; i++) {
        step();
        allocate("main:5");
        train("main:6");
      }
      for (int i = 0; i < 2; i++) {
        step();
        allocate("main:9", "validate:3");
        model("main:9", "validate:4");
      }
    }
    check();
  }

  /** A trainer evaluates inside the loop that trains. */
  @Test
  void anEvaluationInsideAStepHasStepsOfItsOwn() {
    for (int i = 0; i < 6; i++) {
      step();
      allocate("main:5");
      train("main:6");
      if (i % 3 == 2) {
        for (int batch = 0; batch < 4; batch++) {
          step();
          allocate("main:9", "evaluate:3");
          model("main:9", "evaluate:4");
        }
      }
    }
    check();
  }

  @Test
  void partsOfABatchBeforeOneOptimizerStepAreOneStep() {
    for (int i = 0; i < 5; i++) {
      step();
      allocate("main:5");
      for (int part = 0; part < 4; part++) {
        allocate("main:7");
        model("main:8");
        backward();
      }
      optimizer("main:10");
    }
    check();
  }

  @Test
  void theOptimizerMayRunInTheLoopOfTheParts() {
    for (int i = 0; i < 5; i++) {
      step();
      allocate("main:5");
      for (int part = 0; part < 4; part++) {
        allocate("main:7");
        model("main:8");
        backward();
        if (part == 3) {
          optimizer("main:10");
        }
      }
    }
    check();
  }

  @Test
  void aLoopMayUpdateInEachFourthIteration() {
    for (int i = 0; i < 20; i++) {
      if (i % 4 == 0) {
        step();
      }
      allocate("main:5");
      model("main:6");
      backward();
      if (i % 4 == 3) {
        optimizer("main:8");
      }
    }
    check();
  }

  /** A fused optimizer allocates only its state. */
  @Test
  void theOptimizerMayAllocateInTheFirstStepOnly() {
    for (int i = 0; i < 5; i++) {
      step();
      allocate("main:5");
      model("main:6");
      backward();
      if (i == 0) {
        optimizer("main:8");
      }
    }
    check();
  }

  @Test
  void tokensOfARequestAreOneStep() {
    for (int request = 0; request < 5; request++) {
      step();
      allocate("main:5", "answer:3");
      model("main:5", "answer:4");
      for (int token = 0; token < 6; token++) {
        allocate("main:5", "answer:6");
        model("main:5", "answer:7");
      }
    }
    check();
  }

  /** A statement of several lines goes back to its first line each time. */
  @Test
  void linesOfAStatementAreNoLoop() {
    for (int i = 0; i < 4; i++) {
      step();
      allocate("main:5");
      allocate("main:8");
      allocate("main:7");
      allocate("main:9", "scale:21");
      allocate("main:9", "scale:20");
      train("main:10");
    }
    check();
  }

  /** Checkpointed activations are computed again in the thread of the backward pass. */
  @Test
  void anotherThreadDoesNotEndALoop() {
    for (int i = 0; i < 4; i++) {
      step();
      allocate("main:5");
      model("main:6");
      allocate("run:1", "unpack_hook:9");
      backward();
      optimizer("main:7");
    }
    check();
  }

  /** A ring buffer has lost the beginning of the first iteration. */
  @Test
  void aRecordingMayBeginInsideAnIteration() {
    for (int token = 0; token < 3; token++) {
      allocate("main:5", "answer:6");
      model("main:5", "answer:7");
    }
    for (int request = 0; request < 4; request++) {
      step();
      allocate("main:5", "answer:3");
      model("main:5", "answer:4");
      for (int token = 0; token < 6; token++) {
        allocate("main:5", "answer:6");
        model("main:5", "answer:7");
      }
    }
    check();
  }

  @Test
  void aModelThatIsCalledAfterALoopBeginsAStep() {
    for (int i = 0; i < 4; i++) {
      step();
      allocate("main:5");
      train("main:6");
    }
    allocate("main:9", "validate:3");
    step();
    model("main:9", "validate:4");
    check();
    Steps steps = steps();
    assertThat(steps.count()).isEqualTo(4);
    assertThat(steps.isLastOpen()).isTrue();
    assertThat(steps.ofLastLoop().startCount()).isEqualTo(1);
  }

  /** Loading a second model after the loop of the first is no part of its last step. */
  @Test
  void theLastStepEndsWithItsLoop() {
    for (int i = 0; i < 4; i++) {
      allocate("main:5");
      model("main:6");
    }
    allocate("main:9", "load:3");
    assertThat(steps().count()).isEqualTo(4);
    assertThat(steps().isLastOpen()).isFalse();
  }

  /** Stacks in every order neither take long nor break the invariants. */
  @Test
  void randomStacksAreNoProblem() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      int depth = 1 + random.nextInt(6);
      String[] calls = new String[depth];
      for (int level = 0; level < depth; level++) {
        calls[level] = "f" + random.nextInt(3) + ":" + random.nextInt(40);
      }
      if (random.nextInt(4) == 0) {
        calls[depth - 1] = "_call_impl:" + random.nextInt(9);
      }
      allocate(calls);
    }
    Steps steps = steps();
    for (int step = 1; step < steps.startCount(); step++) {
      assertThat(steps.start(step)).isGreaterThan(steps.start(step - 1));
      assertThat(steps.end(step - 1)).isBetween(steps.start(step - 1), steps.start(step));
    }
  }
}
