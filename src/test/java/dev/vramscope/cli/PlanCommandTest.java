package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans on the command line. */
class PlanCommandTest {
  private static final String TWO = file("batch/batch2_length512.pickle.gz");
  private static final String THREE = file("batch/batch3_length512.pickle.gz");
  private static final String DIRECTORY = "batch_and_length/";

  @TempDir private Path folder;

  private static String file(String name) {
    return TestData.file("scale/" + name).toString();
  }

  private static String run(String... arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PlanCommand command = new PlanCommand();
    try (PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8)) {
      assertThat(command.run(Arguments.of(List.of(arguments), command.description()), print))
          .isEqualTo(Command.DONE);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void largestBatchOnEachDeviceUnderEachSetting() throws IOException {
    String text =
        run(
            "--batch",
            "2=" + TWO,
            "--batch",
            "3=" + THREE,
            "--device",
            "24GiB",
            "--device",
            "8GiB",
            "--settings",
            "recorded",
            "--settings",
            "expandable_segments:True");
    assertThat(text)
        .contains(
            "The largest batch that fits 24 GiB is 37, which holds 23.71 GiB; batch 38 would need"
                + " 24.34 GiB.")
        .containsPattern("default settings +8 GiB +9 ")
        .containsPattern("expandable_segments:True +24 GiB +39 ")
        .contains("all sizes follow exact laws")
        .containsPattern("expandable_segments:True +8 GiB +10 ")
        .contains("1.89 GiB do not grow", "Each recording has a step that recurs unchanged");
  }

  @Test
  void anAskedValue() throws IOException {
    assertThat(run("--batch", "2=" + TWO, "--batch", "3=" + THREE, "--at", "batch=12"))
        .contains("Batch 12 needs 9.6 GiB: 8.64 GiB allocated at the peak.");
    assertThat(
            run(
                "--batch",
                "2=" + TWO,
                "--batch",
                "3=" + THREE,
                "--at",
                "batch=12",
                "--device",
                "8GiB",
                "--markdown"))
        .contains("Batch 12 does not fit 8 GiB: it needs 9.6 GiB, and a request for");
    assertThat(
            run(
                "--batch",
                "2=" + TWO,
                "--batch",
                "3=" + THREE,
                "--device",
                "24GiB",
                "--others",
                "16GiB"))
        .contains("The largest batch that fits 24 GiB of which others use 16 GiB is 9");
  }

  @Test
  void severalParameters() throws IOException {
    List<String> runs = new ArrayList<>();
    for (String values : List.of("1,256", "2,256", "1,512", "2,512")) {
      String[] parts = values.split(",");
      runs.add("--run");
      runs.add(
          "batch=%s,length=%s=%s"
              .formatted(
                  parts[0],
                  parts[1],
                  file(DIRECTORY + "batch" + parts[0] + "_length" + parts[1] + ".pickle.gz")));
    }
    List<String> asked = new ArrayList<>(runs);
    asked.addAll(List.of("--find", "length", "--at", "batch=4", "--device", "16GiB"));
    assertThat(run(asked.toArray(String[]::new)))
        .contains("The largest length that fits 16 GiB is 1,8")
        .contains("batch × length²");
    assertThatThrownBy(() -> run(runs.toArray(String[]::new)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("Several parameters differ: batch, length. Say which to search");
  }

  @Test
  void anHtmlFileAndJson() throws IOException {
    Path target = folder.resolve("plan.html");
    assertThat(run("--batch", "2=" + TWO, "--batch", "3=" + THREE, "--html", target.toString()))
        .isEqualTo("Wrote " + target + ".\n");
    assertThat(Files.readString(target)).startsWith("<!doctype html>").contains("does not grow");
    assertThat(run("--batch", "2=" + TWO, "--batch", "3=" + THREE, "--json")).startsWith("{");
  }

  @ParameterizedTest
  @CsvSource({
    "--setings, x, Did you mean --settings?",
    "--batch, two=FILE, A recording is VALUE=FILE",
    "--batch, x=FILE, --batch 'x=FILE': 'x' is not a number. A recording is VALUE=FILE",
    "--batch, 8, --batch '8' names no file: write --batch 8=FILE. A recording is VALUE=FILE",
    "--devise, 8, --devise '8' names no file: write --devise 8=FILE. Did you mean --device?",
    "--batch, =FILE, is not a number",
    "--batch, 2=, there is no file after 2=",
    "--batch, 2.5=FILE, : '2.5' is not a value",
    "--batch, x, --batch 'x' is not VALUE=FILE: it has no value and no equals sign before a file.",
    "--batch, FILE, before a file. A recording is VALUE=FILE",
    "--devise, x=FILE, Did you mean --device?",
    "--run, batch=x=FILE, such as batch=2=a.pickle. 'x' is not a number",
    "--run, 'batch=2,length=y=FILE', such as batch=2=a.pickle. 'y' is not a number",
    "--run, FILE, is not NAME=VALUE",
    "--device, 3 apples, --device: '3 apples' is not",
    "--batch, -1=FILE, a value is a whole number from 1",
    "--at, batch=0, --at: batch is 0; values are whole numbers from 1",
    "--settings, no_such_key:1, --settings: ",
    "--find, width, The recordings have no parameter 'width'.",
  })
  void wrongArguments(String option, String value, String message) {
    assertThatThrownBy(() -> run("--batch", "2=" + TWO, "--batch", "3=" + THREE, option, value))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isInstanceOf(UsageException.class),
            thrown -> assertThat(thrown).isInstanceOf(IOException.class))
        .hasMessageContaining(message);
  }

  @Test
  void aLogIsExplainedByAnotherCommand() throws IOException {
    Path log = Files.writeString(folder.resolve("train.log"), "CUDA out of memory. ".repeat(9));
    assertThatThrownBy(() -> run("--batch", "2=" + log, "--batch", "3=" + THREE))
        .hasMessageContaining("Logs are explained by: report " + log + ".")
        .hasMessageNotContaining("page Logs")
        .hasMessageNotContaining("/api/");
  }

  @Test
  void filesThatCannotBeReadAreNamedBeforeTheirNumberIsChecked() {
    for (String option : List.of("--batch", "--run")) {
      String value = option.equals("--run") ? "batch=8=" : "8=";
      assertThatThrownBy(() -> run(option, value + "/nonexistent"))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessage("/nonexistent");
      assertThatThrownBy(() -> run(option, value + folder))
          .isInstanceOf(IOException.class)
          .hasMessage(folder + ": this is a folder; name a file in it.");
    }
  }

  @Test
  void largerValuesThatFitAgainAreFound() throws IOException {
    String[] runs = new String[6];
    int at = 0;
    for (int length : new int[] {384, 512, 640}) {
      runs[at++] = "--length";
      runs[at++] = length + "=" + file("length/batch2_length" + length + ".pickle.gz");
    }
    List<String> arguments = new ArrayList<>(List.of(runs));
    arguments.addAll(List.of("--device", "4GiB", "--at", "length=789"));
    String text = run(arguments.toArray(String[]::new));
    Matcher found =
        Pattern.compile("largest length( found)? that fits 4 GiB is (\\d+)").matcher(text);
    assertThat(found.find()).as(text).isTrue();
    assertThat(Integer.parseInt(found.group(2))).isGreaterThanOrEqualTo(789);
  }

  @Test
  void smallerValuesThatFailAreNamed() throws IOException {
    assertThat(run("--batch", "2=" + TWO, "--batch", "3=" + THREE, "--device", "15GiB"))
        .contains("that fits 15 GiB is 23")
        .contains("21 and 22 fail although they are smaller");
  }

  @Test
  void swappedFilesAndParametersThatVaryTogetherAreRefused() {
    assertThatThrownBy(() -> run("--batch", "3=" + TWO, "--batch", "2=" + THREE))
        .hasMessageContaining("Check that the values are not swapped");
    assertThatThrownBy(
            () ->
                run(
                    "--run",
                    "batch=2,tokens=1024=" + TWO,
                    "--run",
                    "batch=3,tokens=1536=" + THREE,
                    "--find",
                    "batch",
                    "--at",
                    "tokens=1024"))
        .hasMessageContaining("batch and tokens vary together")
        .hasMessageContaining("batch=3,tokens=1024");
  }

  @Test
  void failingLinesAreInTheTable() throws IOException {
    assertThat(
            run(
                "--batch",
                "2=" + TWO,
                "--batch",
                "3=" + THREE,
                "--at",
                "batch=12",
                "--device",
                "8GiB"))
        .containsPattern("default settings +8 GiB +fails .*\\.py:\\d+");
  }

  @Test
  void oneFileIsNotEnough() {
    assertThatThrownBy(() -> run("--batch", "2=" + TWO))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("at least two recordings");
    assertThatThrownBy(() -> run("--batch", "2=" + TWO, "--batch", "2=" + THREE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("have the same value: batch 2");
  }
}
