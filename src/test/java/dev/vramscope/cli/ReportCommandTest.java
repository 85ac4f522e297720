package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.format.xla.XlaFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report on the command line: snapshots, profiles, dumps and logs. */
class ReportCommandTest {
  @TempDir private Path folder;

  private String run(String... arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReportCommand command = new ReportCommand();
    try (PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8)) {
      assertThat(command.run(Arguments.of(List.of(arguments), command.description()), print))
          .isEqualTo(Command.DONE);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private String file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  @Test
  void aSnapshotAsText() throws IOException {
    String snapshot = TestData.file("ooms/others_hold_most/snapshot.pickle.gz").toString();
    assertThat(run(snapshot)).contains("The program asked for", "What would have helped");
    assertThat(run(snapshot, "--total", "16GiB")).contains("16 GiB");
    assertThat(run(snapshot, "--markdown")).startsWith("## snapshot.pickle.gz");
    assertThat(run(snapshot, "--json")).startsWith("{");
  }

  @Test
  void anHtmlFile() throws IOException {
    Path target = folder.resolve("report.html");
    String snapshot = TestData.file("ooms/others_hold_most/snapshot.pickle.gz").toString();
    assertThat(run(snapshot, "--html", target.toString())).contains("Wrote");
    assertThat(Files.readString(target)).startsWith("<!doctype html>").contains("</html>");
  }

  @Test
  void logsProfilesAndDumps() throws IOException {
    byte[] log = "CUDA out of memory. Tried to allocate 2.00 GiB".getBytes(StandardCharsets.UTF_8);
    assertThat(run(file("train.log", log))).contains("a request of 2.00 GiB");
    byte[] utf16 =
        "\uFEFFCUDA out of memory. Tried to allocate 2.00 GiB".getBytes(StandardCharsets.UTF_16LE);
    assertThat(run(file("windows.log", utf16))).contains("a request of 2.00 GiB");
    byte[] profile =
        new XlaFiles.Profile().add("buffer", "cuda:0", 1, 1 << 20, "train t.py:7").bytes();
    assertThat(run(file("memory.prof", profile))).contains("1 live buffer", "train (t.py:7)");
    String dump = run(file("xla.log", XlaFiles.log().getBytes(StandardCharsets.UTF_8)));
    assertThat(dump)
        .contains("The program asked for 3 MiB")
        .contains("XLA_PYTHON_CLIENT_PREALLOCATE=false");
  }

  /** What no snapshot can be made of is a log. */
  @Test
  void aPartOfADumpIsExplained() throws IOException {
    String part =
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to"
            + " 2147483648)requested by op\nBin (256): \tTotal Chunks: 0, Chunks in use: 0.\n";
    assertThat(run(file("part.log", part.getBytes(StandardCharsets.UTF_8))))
        .contains("a request of 2 GiB");
  }

  @Test
  void errorsSayWhatAndWhere() throws IOException {
    String binary = file("x.bin", new byte[] {1, 0, 2, 0});
    assertThatThrownBy(() -> run(binary))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("x.bin");
    String empty = file("empty", new byte[0]);
    assertThatThrownBy(() -> run(empty)).hasMessageContaining("empty");
    String snapshot = TestData.file("ooms/others_hold_most/snapshot.pickle.gz").toString();
    assertThatThrownBy(() -> run(snapshot, "--device", "7"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("It has: [0]");
    assertThatThrownBy(() -> run(snapshot, "--text", "--json"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("Choose one");
    assertThatThrownBy(() -> run(snapshot, "--total", "much"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--total");
  }
}
