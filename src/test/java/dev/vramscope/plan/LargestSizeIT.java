package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.RealTorch;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The largest size that fits, checked by the program itself: it runs at the planned size on a
 * device of this memory in PyTorch, and fails at the next one.
 *
 * <p>Skipped without real PyTorch. {@code -Dvramscope.update-docs=true} writes the outcome to
 * {@code docs/plan.md}.
 */
class LargestSizeIT {
  private static final String STEPS = "3";
  private static final long GIB = 1L << 30;
  private static final Path PAGE = Path.of("docs", "plan.md");
  private static final String HEADING = "\n## Checked by the program itself\n";

  @SuppressWarnings("NullAway.Init")
  private static RealTorch torch;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  /**
   * A question.
   *
   * @param find the parameter
   * @param recorded its values in the recordings
   * @param other the value of the other parameter, which is batch or length
   */
  private record Question(
      String find,
      List<Long> recorded,
      long other,
      long totalBytes,
      long othersBytes,
      Map<String, String> environment) {
    Map<String, String> at(long value) {
      boolean isBatch = find.equals("batch");
      Map<String, String> all = new HashMap<>(environment);
      all.put("BATCH", Long.toString(isBatch ? value : other));
      all.put("LENGTH", Long.toString(isBatch ? other : value));
      return all;
    }

    String label() {
      return String.format(
          Locale.ROOT,
          "%s, %s %s, of %s%s",
          environment.isEmpty()
              ? "default settings"
              : environment.entrySet().stream()
                  .map(each -> "`" + each.getKey() + "=" + each.getValue() + "`")
                  .sorted()
                  .collect(Collectors.joining(" ")),
          find.equals("batch") ? "length" : "batch",
          other,
          ByteText.of(totalBytes),
          othersBytes == 0 ? "" : ", of which others use " + ByteText.of(othersBytes));
    }
  }

  private static final List<Question> QUESTIONS =
      List.of(
          new Question("batch", List.of(2L, 3L), 512, 16 * GIB, 0, Map.of()),
          new Question(
              "batch",
              List.of(2L, 3L),
              512,
              12 * GIB,
              0,
              Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")),
          new Question(
              "batch",
              List.of(4L, 6L),
              512,
              10 * GIB,
              0,
              Map.of("RECOMPUTE", "1", "AUTOCAST", "1")),
          new Question("length", List.of(384L, 512L, 640L), 2, 12 * GIB, 0, Map.of()),
          new Question(
              "batch",
              List.of(2L, 4L),
              384,
              16 * GIB,
              3 * GIB,
              Map.of("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128")),
          new Question(
              "batch",
              List.of(2L, 3L),
              512,
              8 * GIB,
              0,
              Map.of("PYTORCH_CUDA_ALLOC_CONF", "roundup_power2_divisions:4")));

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    torch = RealTorch.orSkip();
  }

  @AfterAll
  static void stop() {
    if (torch != null) {
      torch.close();
    }
  }

  @Test
  void programRunsAtTheLargestSizeAndFailsAtTheNext() throws Exception {
    List<String> outcomes = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (Question question : QUESTIONS) {
      LargestValue largest = plan(question);
      long value = largest.value().orElseThrow();
      JsonNode fits = run(question, value, question.totalBytes(), "fits");
      JsonNode next = run(question, value + 1, question.totalBytes(), "next");
      boolean isRight = fits.path("failedAtStep").isNull() && !next.path("failedAtStep").isNull();
      String outcome =
          String.format(
              Locale.ROOT,
              "| %s | %s %s | %,d | %s: %s reserved | %s |",
              question.label(),
              question.find(),
              String.join(", ", question.recorded().stream().map(String::valueOf).toList()),
              value,
              fits.path("failedAtStep").isNull() ? "runs" : "fails",
              ByteText.of(fits.path("peakReservedBytes").asLong()),
              next.path("failedAtStep").isNull()
                  ? "runs"
                  : "fails in step " + (next.path("failedAtStep").asInt() + 1));
      System.out.println(outcome);
      outcomes.add(outcome);
      if (!isRight) {
        wrong.add(outcome);
      }
    }
    if (Boolean.getBoolean("vramscope.update-docs")) {
      writeTable(outcomes);
    }
    assertThat(wrong).isEmpty();
    assertThat(outcomes).hasSizeGreaterThanOrEqualTo(5);
  }

  private LargestValue plan(Question question) throws Exception {
    List<SizedRecording> recordings = new ArrayList<>();
    for (long value : question.recorded()) {
      run(question, value, 64 * GIB, "recorded" + value);
      Snapshot snapshot =
          SnapshotFile.read(folder.resolve("recorded" + value + ".pickle"), ReadLimits.defaults())
              .snapshot()
              .orElseThrow();
      recordings.add(
          SizedRecording.of(
              question.find() + " " + value,
              ParameterValues.of(question.find(), value),
              SnapshotInspection.of(snapshot).devices().getFirst()));
    }
    Plan plan = Plan.of(recordings, new Progress());
    ParameterValues last = recordings.getLast().values();
    return LargestValue.of(
        plan,
        question.find(),
        last,
        plan.recordedSettings(last),
        DeviceSize.of(question.totalBytes(), question.othersBytes()),
        new Progress());
  }

  private JsonNode run(Question question, long value, long totalBytes, String name)
      throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(question.at(value));
    environment.put("FAKE_GPU_BYTES", Long.toString(totalBytes));
    environment.put("FAKE_GPU_EXTERNAL", Long.toString(question.othersBytes()));
    environment.put("DUMP", name.startsWith("recorded") ? "1" : "0");
    Path out = folder.resolve(name);
    torch.run(environment, "programs.py", "sized", out.toString(), STEPS);
    return JsonMapper.shared().readTree(Path.of(out + ".json"));
  }

  private static void writeTable(List<String> outcomes) throws IOException {
    String page = Files.readString(PAGE);
    Files.writeString(
        PAGE,
        page.substring(0, page.indexOf(HEADING))
            + HEADING
            + "\n`LargestSizeIT` runs the program in PyTorch at the planned size and at the next"
            + " one:\n\n"
            + "| device | recorded | largest that fits | at this size | at the next |\n"
            + "|---|---|---|---|---|\n"
            + String.join("\n", outcomes)
            + "\n");
  }
}
