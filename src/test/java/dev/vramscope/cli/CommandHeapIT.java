package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.VramscopeApplication;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.format.export.LargeFile;
import dev.vramscope.intake.IntakeFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that needs more heap than it has says so in one sentence. */
class CommandHeapIT {
  private static final int SEGMENTS = 100_000;
  private static final long MOST_SECONDS = 120;

  @TempDir Path folder;

  private record Exit(int code, List<String> error, String output) {}

  @Test
  void reportSaysThatTheHeapIsTooSmall() throws Exception {
    Path file = snapshot("a.pickle", LargeFile.Count.LIVE_BLOCKS);
    assertTooSmall(16, "report", file.toString());
    assertTooSmall(16, "report", "--html", folder.resolve("out.html").toString(), file.toString());
    assertThat(folder.resolve("out.html")).doesNotExist();
  }

  @Test
  void planSaysThatTheHeapIsTooSmall() throws Exception {
    Path file = snapshot("a.pickle", LargeFile.Count.LIVE_BLOCKS);
    assertTooSmall(16, "plan", "--batch", "1=" + file, "--batch", "2=" + file, "--device", "24GiB");
  }

  @Test
  void summarySaysThatTheHeapIsTooSmall() throws Exception {
    Path file = folder.resolve("stats.json");
    Files.writeString(
        file,
        IntStream.range(0, 300_000)
            .mapToObj(i -> "\"counter_" + i + "\":" + i)
            .collect(Collectors.joining(",", "{", "}")));
    assertTooSmall(16, "summary", file.toString());
  }

  @Test
  void replayAndBenchmarkSayThatTheHeapIsTooSmall() throws Exception {
    Path trace = folder.resolve("trace.txt");
    try (var lines = Files.newBufferedWriter(trace)) {
      for (int i = 1; i <= 500_000; i++) {
        lines.write("malloc " + i + " 512 0\n");
      }
    }
    Exit replay = run(16, "replay", trace.toString());
    assertThat(replay.error).singleElement().asString().startsWith(sentence(16, "replay"));
    assertThat(replay.code).isEqualTo(Command.FAILED);
    assertTooSmall(16, "bench-allocator", trace.toString());
  }

  @Test
  void goldenSaysThatTheHeapIsTooSmall() throws Exception {
    assertTooSmall(
        16, "golden", Path.of("src/test/data/golden/caching").toAbsolutePath().toString());
  }

  /** A database that could not be opened, or not be filled, for want of heap is not damaged. */
  @Test
  void rebuildSaysThatTheHeapIsTooSmall() throws Exception {
    Path data = folder.resolve("data");
    ByteArrayOutputStream large = new ByteArrayOutputStream();
    LargeFile.write(LargeFile.Count.SEGMENTS, SEGMENTS, large);
    try (IntakeFixture fixture = new IntakeFixture(data)) {
      fixture.upload("large", large.toByteArray());
    }
    for (int mib : new int[] {8, 12}) {
      Exit exit = run(mib, "rebuild", "--data-dir", data.toString());
      assertThat(exit.error.getLast()).startsWith(sentence(mib, "rebuild"));
      assertThat(exit.code).isEqualTo(Command.FAILED);
    }
    Exit exit = run(32, "rebuild", "--data-dir", data.toString());
    assertThat(exit.code).isEqualTo(Command.FAILED);
    assertThat(exit.output).contains("start the server with a larger heap");
    assertThat(run(512, "rebuild", "--data-dir", data.toString()).code).isEqualTo(Command.DONE);
  }

  private Path snapshot(String name, LargeFile.Count count) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      LargeFile.write(count, SEGMENTS, out);
    }
    return file;
  }

  private void assertTooSmall(int mib, String... arguments) throws Exception {
    Exit exit = run(mib, arguments);
    assertThat(exit.error)
        .singleElement()
        .asString()
        .startsWith(sentence(mib, arguments[0]))
        .endsWith(" " + arguments[arguments.length - 1]);
    assertThat(exit.code).isEqualTo(Command.FAILED);
    assertThat(exit.output).isEmpty();
  }

  private static String sentence(int mib, String command) {
    return "%s: the Java heap of %d MiB is too small for this; give it more, for example with: java -Xmx%dm -jar vramscope.jar %s "
        .formatted(command, mib, 2 * mib, command);
  }

  private Exit run(int mib, String... arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Path error = folder.resolve("error.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + mib + "m", "--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(VramscopeApplication.class.getName());
    command.addAll(Stream.of(arguments).toList());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(error.toFile())
            .start();
    try {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Exit(process.exitValue(), Files.readAllLines(error), Files.readString(output));
  }
}
