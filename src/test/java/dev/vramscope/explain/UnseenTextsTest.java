package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of an author who had not seen the rules: the cause, the first advice, and bad advice. */
class UnseenTextsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          01_forward_lora_hf_trainer | Too much live memory | hold less | expandable|max_split
          02_backward_detectron2 | Too much live memory | hold less | expandable|max_split
          03_first_step_adam_ddp | makes its state | optimizer that keeps less | smaller batch or sequence
          04_validation_no_nograd_timm | Too much live memory | no_grad | expandable
          05_other_process_notebook | Memory outside | what else uses the device | smaller batch
          06_limit_fraction_service | limit of the program refused | Raise the limit | expandable|end it
          07_fragmentation_trl_zero3 | Fragmentation | in parts | hold less
          08_spike_attention_diffusers | larger than the whole device | attention | expandable|smaller batch
          09_kv_growth_serving_container | Too much live memory | keys and values | expandable|checkpoint
          10_leak_lightning | A leak | kept from step to step | expandable
          11_load_too_big_vllm | while the model was loaded | quantized | gpu-memory-util|max-num-seqs
          12_undecided_one_line | |  | .
          """)
  void causeAndAdvice(String name, String cause, String firstAdvice, String bad)
      throws IOException {
    LogExplanation explanation =
        LogExplanation.of(Files.readString(TestData.file("texts3/" + name + ".txt")));
    Conclusion first = explanation.conclusions().getFirst();
    String said = first.statements().stream().map(Statement::text).collect(Collectors.joining(" "));
    if (cause == null) {
      assertThat(first.remedies()).isEmpty();
      assertThat(said).contains("Why the request failed");
      return;
    }
    assertThat(said).contains(cause);
    assertThat(first.remedies().getFirst().text()).contains(firstAdvice);
    assertThat(first.remedies())
        .extracting((Advice advice) -> advice.text() + " " + advice.code())
        .noneMatch(text -> text.matches("(?s).*(?:" + bad + ").*"));
  }
}
