package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.device.sim.SimDevice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class SummaryCommandTest {
  private final Map<String, Long> stats = liveStats();
  @TempDir private Path folder;

  @Test
  void printsTheTableOfACounterFile() throws IOException {
    assertThat(print(file(json(stats))))
        .contains("| Allocated memory      |   1024 B   |")
        .contains("|       from large pool |      0 B   |");
    assertThat(print("--abbreviated", file(json(stats)))).doesNotContain("from large pool");
  }

  @TestFactory
  Stream<DynamicTest> printsTheTableThatTorchPrints() throws IOException {
    try (Stream<Path> folders = Files.list(TestData.folder("golden/summary"))) {
      return folders.filter(Files::isDirectory).sorted().toList().stream()
          .map(
              golden ->
                  DynamicTest.dynamicTest(
                      golden.getFileName().toString(), () -> assertTorchTable(golden)));
    }
  }

  private static void assertTorchTable(Path golden) throws IOException {
    String counters = golden.resolve("memory_stats.json").toString();
    assertThat(print(counters)).isEqualTo(Files.readString(golden.resolve("memory_summary.txt")));
    assertThat(print("--abbreviated", counters))
        .isEqualTo(Files.readString(golden.resolve("memory_summary_abbreviated.txt")));
  }

  @Test
  void readsTheNestedForm() throws IOException {
    Map<String, Object> nested = new TreeMap<>();
    stats.forEach((key, value) -> put(nested, key, value));

    assertThat(print(file(JsonMapper.shared().writeValueAsString(nested))))
        .isEqualTo(print(file(json(stats))));
  }

  @Test
  void acceptsUnlimitedSplitSizeAsUnsignedNumber() throws IOException {
    String text =
        json(stats).replace("\"max_split_size\":-1", "\"max_split_size\":18446744073709551615");
    assertThat(text).contains("18446744073709551615");

    assertThat(print(file(text))).isEqualTo(print(file(json(stats))));
  }

  @Test
  void reportsMissingCounter() throws IOException {
    stats.remove("active_bytes.small_pool.peak");
    String file = file(json(stats));

    assertThatThrownBy(() -> print(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not have 1 of the counters")
        .hasMessageContaining("active_bytes.small_pool.peak");
    assertThat(print("--abbreviated", file)).contains("Active memory");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[1];it is not a JSON object",
        "{\"a\":1} 2;there is more after",
        "{\"a\":1;it is not JSON (line 1",
        "{\"a\":{\"b\":\"c\"}};a.b is not a whole number",
        "{\"a\":1.5};a is not a whole number",
        "{\"a\":18446744073709551616};a does not fit into 64 bits"
      })
  void reportsMalformedFile(String text, String reason) throws IOException {
    String file = file(text);

    assertThatThrownBy(() -> print(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file)
        .hasMessageContaining(reason);
  }

  @Test
  void namesTheCommandThatExplainsASnapshotOrALog() throws IOException {
    String snapshot = TestData.file("hf/dpo_reference_model/snapshot.pickle.gz").toString();
    assertThatThrownBy(() -> print(snapshot))
        .hasMessageContaining("is a memory snapshot, not the output of torch.cuda.memory_stats()")
        .hasMessageContaining("why a request failed, is printed by: report " + snapshot);
    String log = file("CUDA out of memory. Tried to allocate 2.00 GiB.");
    assertThatThrownBy(() -> print(log))
        .hasMessageContaining("What a snapshot or a log says is printed by: report " + log);
  }

  @Test
  void rejectsInvalidArguments() {
    assertThatThrownBy(SummaryCommandTest::print).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> print("a", "b")).hasMessageContaining("Usage: summary");
    assertThatThrownBy(() -> print("--short", "a")).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> print("--short")).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> print(folder.resolve("none.json").toString()))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static Map<String, Long> liveStats() {
    CachingAllocator allocator =
        new CachingAllocator(SimDevice.ofBytes(1 << 26), CachingOptions.of(""));
    allocator.allocate(1000, 0);
    return MemoryStats.of(allocator.statistics());
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> into, String key, long value) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      into.put(key, value);
    } else {
      Object inner =
          into.computeIfAbsent(key.substring(0, dot), _ -> new TreeMap<String, Object>());
      put((Map<String, Object>) inner, key.substring(dot + 1), value);
    }
  }

  private static String json(Map<String, Long> stats) {
    return JsonMapper.shared().writeValueAsString(stats);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("stats.json"), text).toString();
  }

  private static String print(String... arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    Command command = new SummaryCommand();
    assertThat(command.run(Arguments.of(Arrays.asList(arguments), command.description()), out))
        .isZero();
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
