package dev.vramscope.explain.producer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.LogExplanation;
import dev.vramscope.model.Certainty;
import org.junit.jupiter.api.Test;

class TracebacksTest {
  private static final String MESSAGE =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total"
          + " capacity of 12.00 GiB of which 2.00 MiB is free. Of the allocated memory 11.39 GiB is"
          + " allocated by PyTorch, and 625.47 MiB is reserved by PyTorch but unallocated.\n";

  private static final String IN_OPTIMIZER =
      """
      Traceback (most recent call last):
        File "/home/user/project/train.py", line 22, in main
          optimizer.step()
        File "/home/user/venv/lib/python3.11/site-packages/torch/optim/adam.py", line 238, in step
          has_complex = self._init_group(
                        ^^^^^^^^^^^^^^^^^
        File "/home/user/venv/lib/python3.11/site-packages/torch/optim/adam.py", line 178, in _init_group
          state["exp_avg"] = torch.zeros_like(
      """;

  private static Conclusion conclusion(String text) {
    return LogExplanation.of(text).conclusions().getFirst();
  }

  private static String statements(String text, Certainty certainty) {
    return conclusion(text).statements().stream()
        .filter(statement -> statement.certainty() == certainty)
        .map(Statement::text)
        .toList()
        .toString();
  }

  @Test
  void theOptimizersStateIsNamedAndItsRemedyComesFirst() {
    String text = IN_OPTIMIZER + MESSAGE;
    assertThat(statements(text, Certainty.CERTAIN))
        .contains(
            "The request was made by an optimizer that makes its state at _init_group"
                + " (adam.py:178), called by main (train.py:22)");
    assertThat(conclusion(text).remedies().getFirst().text())
        .startsWith("Use an optimizer that keeps less: optim=\"adafactor\"");
  }

  @Test
  void eachLineMayBeginWithWhatALoggerWrites() {
    String text =
        (IN_OPTIMIZER + MESSAGE).replaceAll("(?m)^", "[rank0] 2026-11-28 12:00:00,123 ERROR ");
    assertThat(statements(text, Certainty.CERTAIN)).contains("_init_group (adam.py:178)");
  }

  /** One of another error, far above, is not that of the failure. */
  @Test
  void aTracebackFarAboveIsNotUsed() {
    String text = IN_OPTIMIZER + "step done\n".repeat(30) + MESSAGE;
    assertThat(statements(text, Certainty.CERTAIN)).doesNotContain("The request was made");
    assertThat(conclusion(text).remedies())
        .noneMatch(remedy -> remedy.text().contains("adafactor"));
  }

  @Test
  void theLastTracebackBeforeTheMessageCounts() {
    String other =
        """
        Traceback (most recent call last):
          File "/home/user/project/serve.py", line 9, in handle
            reply = model(tokens)
        ValueError: no tokens

        During handling of the above exception, another exception occurred:

        """;
    assertThat(statements(other + IN_OPTIMIZER + MESSAGE, Certainty.CERTAIN))
        .contains("called by main (train.py:22)")
        .doesNotContain("serve.py");
  }

  @Test
  void aBackwardPassIsNamed() {
    String text =
        """
          File "/home/user/project/train.py", line 18, in main
            loss.backward()
          File "/usr/lib/python3/dist-packages/torch/autograd/graph.py", line 1072, in _engine_run_backward
            return Variable._execution_engine.run_backward(
        """
            + MESSAGE;
    assertThat(statements(text, Certainty.CERTAIN))
        .contains("The request was made in a backward pass, called by main (train.py:18)");
  }

  /** 5 % of what the allocator holds is in pieces: joining it would not last. */
  @Test
  void littleFreeMemoryInPiecesIsNoFragmentation() {
    assertThat(statements(MESSAGE, Certainty.LIKELY))
        .contains(
            "Too much live memory: 11.39 GiB of the 12 GiB that the allocator holds is in use")
        .doesNotContain("Fragmentation:");
    assertThat(conclusion(MESSAGE).remedies())
        .noneMatch(remedy -> remedy.code().contains("expandable_segments"));
    assertThat(LogExplanation.of(MESSAGE).summary()).contains("Too much live memory");
  }

  @Test
  void memoryOfOthersIsTheCauseIfItIsMuch() {
    String text =
        "CUDA out of memory. Tried to allocate 126.00 MiB. GPU 0 has a total capacity of 16.00 GiB"
            + " of which 72.00 MiB is free. Of the allocated memory 7.76 GiB is allocated by"
            + " PyTorch, and 178.86 MiB is reserved by PyTorch but unallocated.";
    assertThat(statements(text, Certainty.LIKELY))
        .contains("Memory outside this program’s allocator: 8 GiB of the 16 GiB of the device.");
    assertThat(conclusion(text).remedies().getFirst().code()).isEqualTo("nvidia-smi");
  }

  @Test
  void muchFreeMemoryInPiecesIsFragmentation() {
    String text = MESSAGE.replace("11.39 GiB", "8.39 GiB").replace("625.47 MiB", "3.60 GiB");
    assertThat(statements(text, Certainty.LIKELY)).contains("Fragmentation:");
  }
}
