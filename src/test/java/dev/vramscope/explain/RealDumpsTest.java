package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dumps of TensorFlow 2.21, of XLA, and an error of JAX, against what is known of their runs. */
class RealDumpsTest {
  private static Conclusion only(String file) throws IOException {
    LogExplanation explanation = LogExplanation.of(Files.readString(TestData.file(file)));
    assertThat(explanation.conclusions()).as(file).hasSize(1);
    return explanation.conclusions().getFirst();
  }

  private static String said(Conclusion conclusion) {
    return conclusion.statements().stream()
        .map(each -> each.certainty() + ": " + each.text())
        .collect(Collectors.joining("\n"));
  }

  private static void isRead(Conclusion conclusion, FieldName name, JsonNode truth, String key) {
    if (truth.has(key)) {
      Quantity read = conclusion.message().quantity(name).orElseThrow();
      assertThat(read.mayBe(truth.path(key).asLong())).as(name + " " + read).isTrue();
    }
  }

  @Test
  void theCausesOfTensorFlowsFailures() throws IOException {
    Map<String, String[]> causes =
        Map.of(
            "tf_bfc_full",
            new String[] {
              "CERTAIN: 254 MiB of the limit of 256 MiB are in use; 2 MiB are not, 198 MiB too"
                  + " little",
              "CERTAIN: Of what is in use, the program requested 200 MiB; 54 MiB are in chunks"
            },
            "tf_bfc_growing",
            new String[] {
              "CERTAIN: 254 MiB of the limit of 256 MiB are in use; 2 MiB are not, 8 MiB too"
                  + " little",
              "requested 230 MiB; 24 MiB are in chunks beyond their requests, more than the request"
            },
            "tf_bfc_matmul",
            new String[] {
              "CERTAIN: 254 MiB of the limit of 256 MiB are in use; 2 MiB are not, 62 MiB too"
                  + " little",
              "requested 192 MiB; 62 MiB are in chunks beyond their requests. "
            },
            "tf_bfc_toolarge",
            new String[] {
              "CERTAIN: The request is larger than the limit of the allocator, 256 MiB."
            });
    for (Map.Entry<String, String[]> dump : causes.entrySet()) {
      Conclusion conclusion = only("xla/" + dump.getKey() + "/dump.log");
      JsonNode truth =
          new JsonMapper()
              .readTree(Files.readString(TestData.file("xla/" + dump.getKey() + "/truth.json")));
      isRead(conclusion, FieldName.LIMIT, truth, "limit");
      isRead(conclusion, FieldName.IN_USE, truth, "in_use");
      isRead(conclusion, FieldName.CLIENT_REQUESTED, truth, "requested_in_use");
      isRead(conclusion, FieldName.FREE_CHUNKS, truth, "free");
      isRead(conclusion, FieldName.LARGEST_FREE, truth, "largest_free");
      isRead(conclusion, FieldName.ROUNDED, truth, "request");
      assertThat(said(conclusion)).as(dump.getKey()).contains(dump.getValue());
      boolean isTooLarge = dump.getKey().equals("tf_bfc_toolarge");
      assertThat(said(conclusion).contains("larger than the limit")).isEqualTo(isTooLarge);
      assertThat(said(conclusion).contains("Too much live memory")).isEqualTo(!isTooLarge);
    }
  }

  @Test
  void aDumpOfAGpuSaysWhichProgramsHoldTheMemory() throws IOException {
    Conclusion conclusion = only("xla/jax_gpu_oom/dump.log");
    assertThat(said(conclusion))
        .contains(
            "CERTAIN: 7.08 GiB of the limit of 7.92 GiB are in use; 860 MiB are not, 164 MiB too"
                + " little",
            "CERTAIN: What is in use, by the program that allocated it: jit_broadcast_in_dim 7 GiB,"
                + " jit_multiply 80 MiB, jit_convert_element_type 256 B.")
        .doesNotContain("not their names");
  }

  @Test
  void theCausesOfXlasFailures() throws IOException {
    Conclusion full = only("xla/golden/oom_full.log");
    assertThat(said(full))
        .contains(
            "CERTAIN: 8 MiB of the limit of 8 MiB are in use; 0 B are not, 256 B too little",
            "Too much live memory");
    assertThat(full.message().written(FieldName.OPERATION)).isEmpty();
    LogExplanation pieces =
        LogExplanation.of(Files.readString(TestData.file("xla/golden/oom_noretry.log")));
    assertThat(pieces.summary())
        .contains("16 MiB are not, more than the request.")
        .contains("the free memory is in pieces, the largest of 1 MiB");
  }

  @Test
  void aFreeChunkThatIsLargeEnoughIsNotCalledAPiece() throws IOException {
    String log = Files.readString(TestData.file("xla/golden/oom_noretry.log"));
    Conclusion conclusion =
        LogExplanation.of(log.replace("2.00MiB", "1.00MiB").replace("to 2097152", "to 1048576"))
            .conclusions()
            .getFirst();
    assertThat(said(conclusion))
        .contains("LIKELY: A free chunk of 1 MiB is large enough")
        .doesNotContain("in pieces");
  }

  @Test
  void aRequestThatNoDeviceCanServe() throws IOException {
    Conclusion conclusion = only("xla/jax_cpu_oom/cpu_oom.txt");
    assertThat(conclusion.message().quantity(FieldName.REQUESTED))
        .hasValue(Quantity.exact(8_796_093_022_208L));
    assertThat(conclusion.headline()).contains("8 TiB");
    assertThat(said(conclusion))
        .contains("CERTAIN: No GPU or TPU has that much", "LIKELY: An array has a shape");
    assertThat(conclusion.remedies())
        .extracting(Advice::code)
        .doesNotContain("XLA_PYTHON_CLIENT_MEM_FRACTION=0.95");
  }
}
