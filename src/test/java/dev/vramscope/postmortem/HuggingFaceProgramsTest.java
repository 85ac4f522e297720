package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  /** What stands first and changes the program as its author did to make it fit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dpo_reference_model      | precompute_ref_log_probs=True
          eager_attention_long     | attn_implementation="sdpa"
          ema_copy                 | device="cpu"
          external_process         | end other programs on this GPU
          lightning_expandable_on  | training_step (program.py:13)
          lightning_outputs        | training_step (program.py:13)
          lora_no_checkpointing    | gradient_checkpointing_enable()
          memory_fraction          | set_per_process_memory_fraction
          notebook_rerun           | earlier model, which <module> (1234567890.py:3) made
          resume_checkpoint_on_gpu | map_location="cpu"
          running_loss_graph       | loss.item()
          server_keeps_past        | past_key_values
          sft_vocab_logits         | use_liger_kernel=True
          torchmetrics_list_state  | compute_on_cpu=True
          trainer_eval_accumulates | eval_accumulation_steps=1
          trainer_full_finetune    | optim="adafactor"
          two_models_in_sequence   | earlier model, which load (program.py:11) made
          val_without_no_grad      | Run the evaluation at validate (program.py:16) under torch.no_grad()
          """)
  void firstRemedyIsThatOfTheTruth(String name, String advice) {
    assertThat(first("hf", name)).contains(advice);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          accum_trainer   | Use an optimizer that keeps less
          cached_embed    | embed (program.py:18)
          gan_pool        | g_step (program.py:21)
          graph_batches   | limit or split the input
          hf_accum_hidden | compute_loss (program.py:14)
          kfold_models    | earlier model, which train_fold (program.py:28) made
          lazy_penalty    | limit or split the input
          oneline_eval    | check (program.py:18) under torch.no_grad()
          retrieval_val   | on_validation_epoch_end (program.py:23)
          reward_later    | earlier model, which main (program.py:21) made
          rl_buffer       | main (program.py:54)
          grpo_metrics    | step (program.py:43)
          imagegen_load   | pipe.enable_model_cpu_offload()
          notebook_r2     | r2_score (<ipython-input-4-91c2d03e8f5a>:3)
          phase_unfreeze  | Drop the earlier optimizers
          probe_head      | a frozen backbone
          tenant_adapters | model.delete_adapter(name)
          tiled_val       | limit or split the input that validation_step (program.py:38)
          """)
  void firstRemedyOfOtherAuthorsIsThatOfTheTruth(String name, String advice) {
    assertThat(first("programs-unseen", name)).contains(advice);
  }

  private static String first(String folder, String name) {
    RecordedFailure failure = RecordedFailure.named(folder, name);
    return failure.explanation().remedies().first().orElseThrow().action().text();
  }

  /**
   * Not counted right: calls within a round, and tokens of a reply, which look like steps. The
   * recording of the third begins after its first steps.
   */
  private static final Set<String> NOT_COUNTED =
      Set.of("stream_sessions", "tenant_adapters", "server_keeps_past");

  static Stream<RecordedFailure> recordedFromTheStart() {
    return Stream.concat(failing(), unseen())
        .filter(failure -> !NOT_COUNTED.contains(failure.name()));
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
    RecordedFailure program = RecordedFailure.named("hf", name);
    DeviceSnapshot device = program.snapshot().devices().getFirst();
    Steps steps = RecordedHistory.of(program.snapshot().stacks(), device).steps();
    assertThat(steps.startCount()).isEqualTo(count);
    assertThat(steps.source()).isEqualTo(Steps.Source.LOOPS);
  }
}
