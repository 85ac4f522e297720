package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.replay.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say of traces, settings and words that make no sense. */
class BadInputTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(Command command, Object... arguments) throws IOException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = command.run(java.util.Arrays.stream(arguments).map(Object::toString).toList(), out);
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
        "caching | malloc            | lacks argument 1. Write: malloc ID BYTES STREAM",
        "caching | malloc x y z      | 'x' is not a number. Write: malloc ID BYTES STREAM",
        "caching | malloc 1 -5 0     | '-5' is no whole number from 0 to below 2^64. Write: malloc",
        "caching | malloc 1 3Q 0     | '3Q' is no whole number",
        "caching | set_fraction half | 'half' is not a number. Write: set_fraction FRACTION",
        "caching | mallok 1 5 0      | There is no operation 'mallok'. There are: malloc allocate",
        "bfc     | malloc a          | lacks argument 2. Write: malloc ID BYTES [ALIGN]",
        "bfc     | malloc a -5       | Write: malloc ID BYTES [ALIGN]",
        "bfc     | malloc a 3Q       | '3Q' is not a number below 2^63",
        "bfc     | malloc a 5 3      | aligned to a power of two",
        "bfc     | malloc a 5 up=1   | There is no option 'up'.",
        "bfc     | fly               | There is no operation 'fly'. There are: malloc free",
      })
  void aLineIsNamedWithWhatItShouldBe(String kind, String line, String said) throws IOException {
    Path trace =
        file("trace.txt", "# for\n\n" + (kind.equals("bfc") ? "malloc ok 1\n" : "stats\n") + line);
    assertThatThrownBy(() -> run(new ReplayCommand(), "--allocator", kind, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(trace + ":4: ")
        .hasMessageContaining(said);
    assertThat(printed()).as("records before the mistake").contains("3,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "caching | FAKE_GPU_BYTES=much       | FAKE_GPU_BYTES is 'much', and should be",
        "caching | FAKE_GPU_BYTES=0          | A card needs a positive size",
        "caching | FAKE_VA_POLICY=random     | should be firstfit or bump",
        "caching | FAKE_NVML_PROCS=7         | should be self:BYTES,PID:BYTES",
        "caching | nonsense                  | :1: 'nonsense' is no setting",
        "bfc     | memory_limit=5X           | memory_limit is '5X', and should be a number",
        "bfc     | allow_growth=yes          | should be 0 or 1",
        "bfc     | device.granularity=0      | granularity 0",
        "bfc     | device.fail_calls=1,x     | should be call numbers",
        "bfc     | log=some                  | should be full or hash",
      })
  void aSettingIsNamedWithItsFile(String kind, String line, String said) throws IOException {
    Path config = file("config.txt", line + "\n");
    Path trace = file("trace.txt", "stats\n");
    assertThatThrownBy(
            () -> run(new ReplayCommand(), "--allocator", kind, "--config", config, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(config.toString())
        .hasMessageContaining(said);
  }

  @Test
  void filesThatAreNoneAreNamed() throws IOException {
    assertThatThrownBy(() -> run(new ReplayCommand(), folder)).hasMessageContaining("is a folder");
    Path broken = Files.write(folder.resolve("broken.gz"), new byte[] {0x1f, (byte) 0x8b, 7, 7});
    assertThatThrownBy(() -> run(new ReplayCommand(), broken))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(broken + ": this begins as gzip does");
    Path binary = Files.write(folder.resolve("config"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Path trace = file("trace.txt", "stats\n");
    assertThatThrownBy(() -> run(new ReplayCommand(), "--config", binary, trace))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(binary + ": this is not text in UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "--fast a", "--config", "--allocator slow a"})
  void wordsThatFitNowhereAreRefused(String words) {
    List<String> arguments = words.isEmpty() ? List.of() : List.of(words.split(" "));
    assertThatThrownBy(() -> run(new ReplayCommand(), arguments.toArray()))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), arguments.toArray()))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void nothingToMeasureIsRefused() throws IOException {
    for (String hit : List.of("hit:0", "hit:abc", "hit:-5", "hit:")) {
      assertThatThrownBy(() -> run(new BenchAllocatorCommand(), hit))
          .isInstanceOf(UsageException.class);
    }
    Path empty = file("trace.txt", "# nothing\n");
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), empty))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no allocation in it");
    assertThatThrownBy(() -> run(new BenchAllocatorCommand(), "--replay", empty))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no operation in it");
  }

  @Test
  void aBadGoldenCaseFailsAloneAndAllOthersAreRun() throws IOException {
    for (String name : List.of("a", "bad", "lonely", "z")) {
      file(name + "/config.txt", "FAKE_GPU_BYTES=1073741824\n");
      file(name + "/trace.txt", name.equals("bad") ? "malloc\n" : "mem_info\n");
      if (!name.equals("lonely")) {
        file(
            name + "/expected.jsonl",
            "{\"line\":1,\"op\":\"mem_info\",\"free\":1073741824,\"total\":1073741824}\n");
      }
    }
    assertThat(run(new GoldenCommand(), folder)).isEqualTo(Command.FAILED);
    assertThat(printed())
        .contains("FAILED bad: ")
        .contains("trace.txt:1: 'malloc' lacks argument 1.")
        .contains("FAILED lonely: there is no expected.jsonl and no expected.jsonl.gz in it")
        .endsWith("2 passed, 2 failed\n");
  }

  /** A size of 64 bits is out of memory, as in the original, whatever stands in its way. */
  @ParameterizedTest
  @CsvSource({
    "4611686018427387905,4611686018429485056,4294967296.00 GiB",
    "9223372036854775807,9223372036854775808,8589934592.00 GiB",
    "18446744073707454464,18446744073707454464,17179869184.00 GiB"
  })
  void anAbsurdRequestIsOutOfMemory(String bytes, String segment, String text) throws IOException {
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
  void addressesAreNeverUsedAgainIfTheCardBumps() throws IOException {
    Path trace = file("trace.txt", "malloc 1 30000000 0\nfree 1\nempty_cache\nmalloc 2 9 0\n");
    run(new ReplayCommand(), "--config", file("c", "FAKE_VA_POLICY=bump\n"), trace);
    assertThat(printed()).contains("\"id\":2,\"addr\":31457280");
    printed.reset();
    run(new ReplayCommand(), "--config", file("c", "FAKE_VA_POLICY=firstfit\n"), trace);
    assertThat(printed()).contains("\"id\":2,\"addr\":0");
  }

  /** Shared keys come from the name of HIP, CUDA's own from the common name. */
  @Test
  void hipSettingsCountUnlessCudaOnesAreThere() throws IOException {
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
