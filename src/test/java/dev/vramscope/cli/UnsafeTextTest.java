package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Control characters in arguments, names of files and their contents, in the output of commands.
 */
class UnsafeTextTest {
  private static final String NAME = UnsafeText.WITHOUT_NUL;

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private String snapshot = "";

  @BeforeEach
  void write() throws IOException {
    snapshot = file(".json", UnsafeText.snapshot());
  }

  private String file(String ending, String content) throws IOException {
    return Files.writeString(folder.resolve(NAME + ending), content).toString();
  }

  /** Runs a command and returns all that it printed. */
  private String run(String... arguments) {
    return run(Map.of(), arguments);
  }

  private String run(Map<String, String> environment, String... arguments) {
    out.reset();
    err.reset();
    new CommandLine(print(out), print(err), environment).run(arguments);
    String where = arguments.length == 0 ? "" : arguments[0];
    String printed =
        UnsafeText.assertVisible("output of " + where, out.toByteArray())
            + UnsafeText.assertVisible("errors of " + where, err.toByteArray());
    assertThat(printed.lines()).as(where).noneMatch(line -> line.startsWith("forged"));
    return printed;
  }

  private static PrintStream print(OutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  @Test
  void everyArgumentOfEveryCommand() {
    List<Description> commands = new ArrayList<>();
    commands.add(new ServiceOptions(ServiceSettings.load()).description());
    CommandLine.COMMANDS.forEach(command -> commands.add(command.description()));
    for (Description command : commands) {
      assertThat(run(command.name(), "--" + NAME)).contains("\\u001b");
      assertThat(run(command.name(), "--" + NAME + "=1")).contains("\\u001b");
      assertThat(run(command.name(), folder + "/no" + NAME, NAME)).contains("\\u001b");
      if (!command.name().equals(ServiceOptions.NAME)) {
        run(command.name(), folder + "/no" + NAME);
      }
      for (Option option : command.options()) {
        boolean startsTheService = command.name().equals(ServiceOptions.NAME);
        if (option.takesValue() && !startsTheService) {
          run(command.name(), option.name(), NAME, folder + "/no" + NAME);
          run(command.name(), option.name() + "=" + NAME, folder.toString());
        }
      }
    }
    assertThat(run(NAME)).contains("There is no command 'u\\u0001");
    assertThat(run("help", NAME)).contains("There is no command");
    assertThat(run(Map.of("VRAMSCOPE_" + NAME, NAME), "--vramscope.no=" + NAME)).contains("no");
    assertThat(run(Map.of("VRAMSCOPE_" + NAME, NAME))).contains("has no effect", "\\u001b");
  }

  @Test
  void reports() throws IOException {
    for (String format : List.of("--text", "--markdown", "--json")) {
      assertThat(run("report", snapshot, format)).contains("u\\u009bu", "u\\u202eu");
    }
    String html = folder.resolve(NAME + ".html").toString();
    assertThat(run("report", snapshot, "--html", html)).startsWith("Wrote ");
    UnsafeText.assertVisible("the page", Files.readAllBytes(Path.of(html)));
    String log =
        file(".log", "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has " + NAME + "\n");
    for (String format : List.of("--text", "--markdown", "--json")) {
      assertThat(run("report", log, format)).contains("2.00 GiB", "\\u202e");
    }
    for (String text : List.of(NAME, "{\"segments\": " + UnsafeText.quoted(NAME) + "}", "\u0080")) {
      run("report", file(".pickle", text));
      run("plan", "--batch", "2=" + file(".pickle", text), "--batch", "3=" + snapshot);
    }
  }

  @Test
  void plans() {
    run("plan", "--batch", "2=" + snapshot, "--batch", "3=" + snapshot);
    run("plan", "--batch", NAME + "=" + snapshot, "--batch", "3=" + snapshot);
    run("plan", "--run", NAME + "=2=" + snapshot, "--run", "b=3=" + snapshot);
    run("plan", "--batch", "2=" + snapshot, "--batch", "3=" + folder.resolve(NAME + ".none"));
  }

  @Test
  void traces() throws IOException {
    String config = file(".conf", NAME + "=" + NAME + "\nPYTORCH_CUDA_ALLOC_CONF=" + NAME + "\n");
    String[] texts = {
      NAME,
      "malloc " + NAME,
      "malloc 1 5 0 " + NAME + "\nfree 1\n",
      "x\u001bc evil\u001b]0;T\u0007\n"
    };
    for (String text : texts) {
      String trace = file(".txt", text);
      for (String allocator : List.of("caching", "bfc")) {
        for (String command : List.of("replay", "bench-allocator")) {
          assertThat(run(command, trace, "--allocator", allocator)).isNotEmpty();
          assertThat(run(command, trace, "--allocator", allocator, "--config", config))
              .isNotEmpty();
        }
      }
    }
    assertThat(run("replay", file(".txt", texts[3]))).contains("\\u001b", "\\u0007");
  }

  @Test
  void goldenCases() throws IOException {
    Path golden = Files.createDirectories(folder.resolve("golden").resolve(NAME));
    Files.writeString(golden.resolve("trace.txt"), "malloc " + NAME);
    Files.writeString(golden.resolve("expected.jsonl"), UnsafeText.quoted(NAME) + "\n");
    assertThat(run("golden", folder.resolve("golden").toString())).contains("FAILED", "\\u202e");
    Files.writeString(golden.resolve("trace.txt"), "malloc 1 5 0\n");
    Files.writeString(golden.resolve("expected.jsonl"), "{" + UnsafeText.quoted(NAME) + ":1}\n");
    assertThat(run("golden", folder.resolve("golden").toString())).contains("FAILED", "\\u202e");
  }

  @Test
  void records() throws IOException {
    // XLA's allocator writes the names of operations into its log.
    String trace = file(".txt", "alloc a" + NAME.replaceAll("\\s", "") + " 1024\n");
    run("replay", trace, "--allocator", "bfc");
  }

  @Test
  void dataFolders() throws IOException {
    String data = Files.createDirectories(folder.resolve(NAME)).toString();
    for (String command : List.of("backup", "restore")) {
      run(command, folder.resolve(NAME + "2").toString(), "--data-dir", data);
      run(command, snapshot, "--data-dir", snapshot);
    }
    assertThat(run("rebuild", "--data-dir", data)).contains("\\u202e");
    run("rebuild", "--data-dir", snapshot);
  }

  @Test
  void counters() throws IOException {
    for (String text :
        List.of(
            NAME,
            "{" + UnsafeText.quoted(NAME) + ": 1}",
            "{" + UnsafeText.quoted(NAME) + ": 1.5}",
            "{" + UnsafeText.quoted(NAME) + ": " + UnsafeText.quoted(NAME) + "}")) {
      assertThat(run("summary", file(".stats", text))).contains("\\u202e");
    }
  }

  @Test
  void stackTracesOfDefects() {
    VisibleOutput output = new VisibleOutput(out, /* flushesLines= */ true);
    IllegalStateException defect = new IllegalStateException(UnsafeText.ALL);
    defect.addSuppressed(new IOException(UnsafeText.ALL));
    defect.printStackTrace(output);
    String printed = UnsafeText.assertVisible("a stack trace", out.toByteArray());
    assertThat(printed).contains("\\ud800x\\udc00x\\r\\nforged", "\n\tat ");
    assertThat(printed.lines()).noneMatch(line -> line.startsWith("forged"));
  }

  @Test
  void compressedSnapshots() throws IOException {
    Path packed = folder.resolve(NAME + ".json.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write(UnsafeText.snapshot().getBytes(StandardCharsets.UTF_8));
    }
    assertThat(run("report", packed.toString())).contains("\\u202e");
  }
}
