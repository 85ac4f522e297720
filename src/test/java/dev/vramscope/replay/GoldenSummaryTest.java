package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.SharedFolder;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.analysis.SummaryTable;
import dev.vramscope.cli.SummaryCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Our allocator's statistics and their table against torch's, from the trace to the last byte. */
class GoldenSummaryTest {
  private static final String PRIVATE_POOLS = "reserved_bytes_by_private_pools.";

  @TestFactory
  List<DynamicTest> aLiveAllocatorHasTorchsStatisticsAndTable() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path golden : cases()) {
      tests.add(DynamicTest.dynamicTest(golden.getFileName().toString(), () -> assertLive(golden)));
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> theCommandPrintsTorchsTable() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path golden : cases()) {
      tests.add(
          DynamicTest.dynamicTest(
              golden.getFileName().toString(),
              () -> {
                String stats = golden.resolve("memory_stats.json").toString();
                assertThat(print(stats)).isEqualTo(text(golden, "memory_summary.txt"));
                assertThat(print("--abbreviated", stats))
                    .isEqualTo(text(golden, "memory_summary_abbreviated.txt"));
              }));
    }
    return tests;
  }

  private static List<Path> cases() throws IOException {
    try (var folders = Files.list(SharedFolder.require("golden/summary"))) {
      return folders.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static void assertLive(Path golden) throws IOException {
    Path trace = SharedFolder.require("golden/caching/" + golden.getFileName());
    SortedMap<String, Long> stats = statsAtMostReserved(trace);
    SortedMap<String, Long> expected =
        JsonMapper.shared()
            .readValue(
                text(golden, "memory_stats.json"), new TypeReference<TreeMap<String, Long>>() {});

    // torch 2.13, which wrote the golden files, did not follow private pools yet.
    stats.keySet().removeIf(key -> key.startsWith(PRIVATE_POOLS));
    assertThat(stats).containsExactlyEntriesOf(expected);
    SummaryTable table = new SummaryTable(0, stats);
    assertThat(table.full()).isEqualTo(text(golden, "memory_summary.txt"));
    assertThat(table.abbreviated()).isEqualTo(text(golden, "memory_summary_abbreviated.txt"));
  }

  /** Runs a case; the statistics at the first of its records with the most reserved bytes. */
  private static SortedMap<String, Long> statsAtMostReserved(Path folder) throws IOException {
    ReplayConfig config =
        Files.exists(folder.resolve("config.txt"))
            ? ReplayConfig.read(folder.resolve("config.txt"))
            : ReplayConfig.EMPTY;
    TraceCard card = new SimTraceCard(CachingReplay.device(config));
    CachingAllocator allocator = new CachingAllocator(card.device(), CachingReplay.options(config));
    RecordWriter nowhere = new RecordWriter(OutputStream.nullOutputStream());
    CachingOperations operations =
        new CachingOperations(card, allocator, new CachingRecords(nowhere, allocator, card));
    SortedMap<String, Long> best = new TreeMap<>(Map.of("reserved_bytes.all.current", -1L));
    Path trace = folder.resolve("trace.txt");
    Path compressed = folder.resolve("trace.txt.gz");
    try (InputStream in = TraceInput.open(Files.exists(trace) ? trace : compressed)) {
      TraceLines lines = new TraceLines(in);
      while (lines.next()) {
        operations.run(lines);
        if (lines.isOperation("stats")) {
          SortedMap<String, Long> stats = MemoryStats.of(allocator.statistics());
          best = reserved(stats) > reserved(best) ? stats : best;
        }
      }
    }
    return best;
  }

  private static long reserved(Map<String, Long> stats) {
    return stats.getOrDefault("reserved_bytes.all.current", 0L);
  }

  private static String print(String... arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    assertThat(new SummaryCommand().run(List.of(arguments), out)).isZero();
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String text(Path folder, String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }
}
