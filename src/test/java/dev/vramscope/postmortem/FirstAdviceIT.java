package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.RealTorch;
import dev.vramscope.TestData;
import dev.vramscope.TestExtent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The first advice, followed in the program itself: each program runs again in PyTorch, on the
 * device on which it had failed, with the change that {@code HuggingFaceProgramsTest} expects as
 * the first remedy, and ends. Takes minutes, so only in the complete tests; skipped without real
 * PyTorch and the libraries of the programs.
 */
class FirstAdviceIT {
  private static RealTorch torch;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        TestExtent.isComplete(), "skipped: only with -Dvramscope.test.complete=true");
    torch = RealTorch.orSkip();
    torch.requireLibraries();
  }

  @AfterAll
  static void stop() {
    if (torch != null) {
      torch.close();
    }
  }

  static Stream<Path> programs() {
    return Stream.of(
            "hf/eager_attention_long",
            "hf/lightning_outputs",
            "hf/memory_fraction",
            "hf/notebook_rerun",
            "hf/resume_checkpoint_on_gpu",
            "hf/running_loss_graph",
            "hf/sft_vocab_logits",
            "hf/server_keeps_past",
            "hf/trainer_eval_accumulates",
            "hf/trainer_full_finetune",
            "hf/two_models_in_sequence",
            "programs-unseen/accum_trainer",
            "programs-unseen/cached_embed",
            "programs-unseen/gan_pool",
            "programs-unseen/kfold_models",
            "programs-unseen/oneline_eval",
            "programs-unseen/reward_later",
            "programs-unseen/rl_buffer")
        .map(TestData::folder);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void programsEndWithTheFirstAdvice(Path folder) throws IOException, InterruptedException {
    JsonNode truth = JsonMapper.shared().readTree(Files.readString(folder.resolve("truth.json")));
    JsonNode run = torch.runMended(folder.resolve("program.py"), truth.path("totalBytes").asLong());
    assertThat(run.path("failure").asString("")).isEmpty();
    assertThat(run.path("steps").asInt()).isGreaterThan(truth.path("failedAtStep").asInt());
  }
}
