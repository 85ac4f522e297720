package dev.vramscope.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.budget.ModelGenerations.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Budgets of programs that counted their own tensors when a request failed. */
class HuggingFaceBudgetsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** These could not count all: a trainer of Lightning, and a model that a closure keeps. */
  private static final Set<String> NOT_COUNTED =
      Set.of("lightning_outputs", "tiled_val", "two_models_in_sequence");

  /** A scalar of 4 bytes for a step counter; and gradients' own rounding. */
  private static final long SLACK = 10_000;

  private static JsonNode truth(Path program) {
    try {
      return JSON.readTree(Files.readString(program.resolve("truth.json")))
          .path("exactBytesAtFailure");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Budget budget(String program) {
    return budget(TestData.folder("hf").resolve(program));
  }

  private static Budget budget(Path program) {
    return RecordedBudget.of(program.resolve("snapshot.pickle.gz"))
        .at(Moment.FAILURE, OptionalLong.empty());
  }

  static List<Path> counted() throws IOException {
    try (Stream<Path> programs = Files.list(TestData.folder("hf"));
        Stream<Path> others = Files.list(TestData.folder("programs-unseen"))) {
      return Stream.concat(programs, others)
          .filter(Files::isDirectory)
          .filter(program -> !NOT_COUNTED.contains(program.getFileName().toString()))
          .filter(program -> truth(program).isObject())
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("counted")
  void partsAreWhatTheProgramCounted(Path program) {
    JsonNode truth = truth(program);
    Budget budget = budget(program);
    long copies =
        budget.models().stream()
            .filter(model -> model.source() == Source.CHECKPOINT)
            .mapToLong(ModelGenerations.Model::bytes)
            .sum();
    assertThat(budget.bytes(Use.PARAMETERS) - copies)
        .isEqualTo(truth.path("parameters").asLong() + truth.path("buffers").asLong());
    assertThat(budget.bytes(Use.GRADIENTS)).isEqualTo(truth.path("gradients").asLong());
    assertThat(Math.abs(budget.bytes(Use.OPTIMIZER_STATE) - truth.path("optimizer").asLong()))
        .isLessThan(SLACK);
  }

  /** The largest of the other parts, and the least that it has of the program's other memory. */
  @ParameterizedTest
  @CsvSource({
    "eager_attention_long, TEMPORARY, 0.99",
    "external_process, ACTIVATIONS, 0.95",
    "lightning_outputs, KEPT_RESULTS, 0.7",
    "lora_no_checkpointing, ACTIVATIONS, 0.99",
    "memory_fraction, TEMPORARY, 0.98",
    "resume_checkpoint_on_gpu, ACTIVATIONS, 0.88",
    "running_loss_graph, ACTIVATIONS, 0.99",
    "server_keeps_past, KV_CACHE, 0.98",
    "torchmetrics_list_state, KEPT_RESULTS, 0.87",
    "trainer_eval_accumulates, KEPT_RESULTS, 0.45",
    "val_without_no_grad, ACTIVATIONS, 0.98",
    "varying_lengths, ACTIVATIONS, 0.99",
  })
  void otherMemoryHasItsUse(String program, Use use, double least) {
    Budget budget = budget(program);
    long others =
        budget.parts().stream()
            .filter(
                part ->
                    !Set.of(Use.PARAMETERS, Use.GRADIENTS, Use.OPTIMIZER_STATE)
                        .contains(part.use()))
            .mapToLong(Budget.Part::bytes)
            .sum();
    assertThat(budget.bytes(use)).isGreaterThan((long) (least * others));
    assertThat(budget.bytes(Use.NO_STACK)).isLessThan(others / 1000);
  }

  /** What programs of other authors keep, which their code shows. */
  @ParameterizedTest
  @CsvSource({
    "cached_embed, KEPT_RESULTS, 792723456",
    "gan_pool, KEPT_RESULTS, 855638016",
    "hf_accum_hidden, KEPT_RESULTS, 1145077760",
    "oneline_eval, ACTIVATIONS, 2853568512",
    "probe_head, ACTIVATIONS, 4824500352"
  })
  void keptMemoryOfOtherAuthorsIsTold(String program, Use use, long bytes) {
    assertThat(budget(TestData.folder("programs-unseen").resolve(program)).bytes(use))
        .isEqualTo(bytes);
  }

  /** The thread of the backward pass has no stack; the gradient of the logits has their size. */
  @ParameterizedTest
  @CsvSource({
    "sft_vocab_logits, 8405385216",
    "resume_checkpoint_on_gpu, 411705344",
    "external_process, 131596288"
  })
  void memoryOfTheBackwardPassIsThatOfALine(String program, long bytes) {
    Budget.Part part = budget(program).part(Use.TEMPORARY).orElseThrow();
    assertThat(part.sites())
        .anySatisfy(
            site -> {
              assertThat(site.isBackward()).isTrue();
              assertThat(site.bytes()).isEqualTo(bytes);
              assertThat(site.stack()).isNotZero();
            });
  }

  @ParameterizedTest
  @CsvSource({
    "dpo_reference_model, MADE MADE",
    "ema_copy, MADE COPIED",
    "notebook_rerun, MADE MADE",
    "resume_checkpoint_on_gpu, MADE CHECKPOINT",
    "trainer_full_finetune, MADE",
    "two_models_in_sequence, MADE MADE"
  })
  void modelsAreTold(String program, String sources) {
    assertThat(budget(program).models().stream().map(model -> model.source().name()).toList())
        .containsExactly(sources.split(" "));
  }

  @ParameterizedTest
  @CsvSource({"dpo_reference_model, 969469536", "trainer_full_finetune, 1984447488"})
  void firstStepOfTheOptimizerLacksWhatItStillMakes(String program, long missing) {
    var expected = budget(program).comparison().of(Use.OPTIMIZER_STATE).orElseThrow();
    assertThat(Math.abs(expected.expectedBytes() - expected.measuredBytes() - missing))
        .isLessThan(SLACK);
    assertThat(expected.difference()).startsWith("The optimizer was making its state");
  }

  @ParameterizedTest
  @CsvSource({"ema_copy", "val_without_no_grad"})
  void copyOfTheParametersIsNotTrained(String program) {
    for (var expectation : budget(program).comparison().expectations()) {
      assertThat(expectation.difference()).isEmpty();
    }
  }
}
