package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.replay.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Error messages for invalid traces, settings and arguments. */
class InvalidInputTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(Command command, Object... arguments) throws IOException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    List<String> texts = Arrays.stream(arguments).map(Object::toString).toList();
    int code = command.run(Arguments.of(texts, command.description()), out);
    out.flush();
    return code;
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private Path file(String name, String text) throws IOException {
    Files.createDirectories(folder.resolve(name).getParent());
    return Files.writeString(folder.resolve(name), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "caching | malloc            | has no argument 1. Syntax: malloc ID BYTES STREAM",
        "caching | malloc x y z      | 'x' is not a number. Syntax: malloc ID BYTES STREAM",
        "caching | malloc 1 -5 0     | '-5' is not a whole number from 0 to 2^64 - 1. Syntax:"
            + " malloc",
        "caching | malloc 1 3Q 0     | '3Q' is not a whole number",
        "caching | set_fraction half | 'half' is not a number. Syntax: set_fraction FRACTION",
        "caching | mallok 1 5 0      | There is no operation 'mallok'. Operations: malloc allocate",
        "bfc     | malloc a          | has no argument 2. Syntax: malloc ID BYTES [ALIGN]",
        "bfc     | malloc a -5       | Syntax: malloc ID BYTES [ALIGN]",
        "bfc     | malloc a 3Q       | '3Q' is not a number below 2^63",
        "bfc     | malloc a 5 3      | an alignment that is a power of two",
        "bfc     | malloc a 5 up=1   | There is no option 'up'.",
        "bfc     | fly               | There is no operation 'fly'. Operations: malloc free",
      })
  void reportsTheLineAndItsSyntax(String kind, String line, String message) throws IOException {
    Path trace =
        file("trace.txt", "# for\n\n" + (kind.equals("bfc") ? "malloc ok 1\n" : "stats\n") + line);
    assertThatThrownBy(() -> run(new ReplayCommand(), "--allocator", kind, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(trace + ":4: ")
        .hasMessageContaining(message);
    assertThat(printed()).as("records before the error").contains("3,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "caching | FAKE_GPU_BYTES=much       | FAKE_GPU_BYTES is 'much' but must be",
        "caching | FAKE_GPU_BYTES=0          | A device needs a positive size",
        "caching | FAKE_VA_POLICY=random     | must be firstfit or bump",
        "caching | FAKE_NVML_PROCS=7         | must be self:BYTES,PID:BYTES",
        "caching | nonsense                  | :1: 'nonsense' is not a setting",
        "bfc     | memory_limit=5X           | memory_limit is '5X' but must be a number",
        "bfc     | allow_growth=yes          | must be 0 or 1",
        "bfc     | device.granularity=0      | granularity 0",
        "bfc     | device.fail_calls=1,x     | must be call numbers",
        "bfc     | log=some                  | must be full or hash",
      })
  void reportsInvalidSettingsWithTheirFile(String kind, String line, String message)
      throws IOException {
    Path config = file("config.txt", line + "\n");
    Path trace = file("trace.txt", "stats\n");
    assertThatThrownBy(
            () -> run(new ReplayCommand(), "--allocator", kind, "--config", config, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(config.toString())
        .hasMessageContaining(message);
  }

  @Test
  void reportsFoldersAndDamagedFiles() throws IOException {
    for (Command command :
        List.of(new ReplayCommand(), new ReportCommand(), new SummaryCommand())) {
      assertThatThrownBy(() -> run(command, folder))
          .hasMessage(folder + ": this is a folder; name a file in it.");
    }
    Path broken = Files.write(folder.resolve("broken.gz"), new byte[] {0x1f, (byte) 0x8b, 7, 7});
    assertThatThrownBy(() -> run(new ReplayCommand(), broken))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(broken + ": this gzip file is damaged");
    byte[] zstdMagic = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 7, 7};
    Path zstd = Files.write(folder.resolve("broken.zst"), zstdMagic);
    assertThatThrownBy(() -> run(new ReplayCommand(), zstd))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(zstd + ": this zstd file is damaged");
    Path binary = Files.write(folder.resolve("config"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Path trace = file("trace.txt", "stats\n");
    assertThatThrownBy(() -> run(new ReplayCommand(), "--config", binary, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(binary + ": this is not UTF-8 text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "--fast a", "--config", "--allocator slow a"})
  void rejectsInvalidArguments(String line) {
    List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" "));
    assertThatThrownBy(() -> run(new ReplayCommand(), arguments.toArray()))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), arguments.toArray()))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void rejectsBenchmarksWithoutOperations() throws IOException {
    for (String hit : List.of("hit:0", "hit:abc", "hit:-5", "hit:")) {
      assertThatThrownBy(() -> run(new BenchAllocatorCommand(), hit))
          .isInstanceOf(UsageException.class);
    }
    Path empty = file("trace.txt", "# nothing\n");
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), empty))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("contains no allocation");
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), "--replay", empty))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("contains no operation");
  }

  @Test
  void invalidGoldenCaseDoesNotStopTheOthers() throws IOException {
    for (String name : List.of("a", "bad", "incomplete", "z")) {
      file(name + "/config.txt", "FAKE_GPU_BYTES=1073741824\n");
      file(name + "/trace.txt", name.equals("bad") ? "malloc\n" : "mem_info\n");
      if (!name.equals("incomplete")) {
        file(
            name + "/expected.jsonl",
            "{\"line\":1,\"op\":\"mem_info\",\"free\":1073741824,\"total\":1073741824}\n");
      }
    }
    assertThat(run(new GoldenCommand(), folder)).isEqualTo(Command.FAILED);
    assertThat(printed())
        .contains("FAILED bad: ")
        .contains("trace.txt:1: 'malloc' has no argument 1.")
        .contains("FAILED incomplete: it has no expected.jsonl (nor .gz or .zst of it)")
        .endsWith("2 passed, 2 failed\n");
  }

  /** As in PyTorch, a huge request is out of memory with any settings. */
  @ParameterizedTest
  @CsvSource({
    "4611686018427387905,4611686018429485056,4294967296.00 GiB",
    "9223372036854775807,9223372036854775808,8589934592.00 GiB",
    "18446744073707454464,18446744073707454464,17179869184.00 GiB"
  })
  void hugeRequestIsOutOfMemory(String bytes, String segment, String text) throws IOException {
    for (String settings : List.of("", "expandable_segments:True", "max_split_size_mb:20")) {
      Path config = file("config.txt", "PYTORCH_CUDA_ALLOC_CONF=" + settings + "\n");
      Path trace =
          file("trace.txt", "malloc 1 30000000 0\nfree 1\nmalloc 2 " + bytes + " 0\nstats\n");
      printed.reset();
      assertThat(run(new ReplayCommand(), "--config", config, trace)).isEqualTo(Command.DONE);
      assertThat(printed())
          .contains("\"op\":\"oom_observer\",\"device\":0,\"alloc_size\":" + segment + ",")
          .contains("\"error\":\"OutOfMemoryError\"")
          .contains("Tried to allocate " + text + ".")
          .contains("\"num_ooms\":1");
    }
  }

  @Test
  void bumpPolicyNeverReusesAddresses() throws IOException {
    Path trace = file("trace.txt", "malloc 1 30000000 0\nfree 1\nempty_cache\nmalloc 2 9 0\n");
    run(new ReplayCommand(), "--config", file("c", "FAKE_VA_POLICY=bump\n"), trace);
    assertThat(printed()).contains("\"id\":2,\"addr\":31457280");
    printed.reset();
    run(new ReplayCommand(), "--config", file("c", "FAKE_VA_POLICY=firstfit\n"), trace);
    assertThat(printed()).contains("\"id\":2,\"addr\":0");
  }

  /** Shared keys come from PYTORCH_HIP_ALLOC_CONF, CUDA-specific ones from PYTORCH_ALLOC_CONF. */
  @Test
  void hipSettingsApplyUnlessCudaSettingsExist() throws IOException {
    Path trace = file("trace.txt", "snapshot_full\n");
    String hip = "PYTORCH_HIP_ALLOC_CONF=expandable_segments:True\n";
    String common =
        "PYTORCH_ALLOC_CONF=release_lock_on_cudamalloc:True,garbage_collection_threshold:0.5\n";
    run(new ReplayCommand(), "--config", file("c", hip + common), trace);
    assertThat(printed())
        .contains("\"expandable_segments\":true")
        .contains("\"release_lock_on_cudamalloc\":true")
        .contains("\"garbage_collection_threshold\":0");
    printed.reset();
    run(new ReplayCommand(), "--config", file("c", hip + "PYTORCH_CUDA_ALLOC_CONF=\n"), trace);
    assertThat(printed()).contains("\"expandable_segments\":false");
  }
}
