package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.analysis.summary.SummaryTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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

/** Compares the caching allocator's statistics, and their summary table, with those of torch. */
class GoldenSummaryTest {
  private static final String PRIVATE_POOLS = "reserved_bytes_by_private_pools.";

  @TestFactory
  List<DynamicTest> statisticsAndTableMatchTorch() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path golden : cases()) {
      tests.add(
          DynamicTest.dynamicTest(
              golden.getFileName().toString(), () -> assertMatchesTorch(golden)));
    }
    return tests;
  }

  private static List<Path> cases() throws IOException {
    try (var folders = Files.list(TestData.folder("golden/summary"))) {
      return folders.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static void assertMatchesTorch(Path golden) throws IOException {
    Path trace = TestData.folder("golden/caching/" + golden.getFileName());
    SortedMap<String, Long> stats = statsAtMostReserved(trace);
    SortedMap<String, Long> expected =
        JsonMapper.shared()
            .readValue(
                text(golden, "memory_stats.json"), new TypeReference<TreeMap<String, Long>>() {});

    // torch 2.13, which wrote the golden files, has no statistics of private pools.
    stats.keySet().removeIf(key -> key.startsWith(PRIVATE_POOLS));
    assertThat(stats).containsExactlyEntriesOf(expected);
    SummaryTable table = new SummaryTable(0, stats);
    assertThat(table.full()).isEqualTo(text(golden, "memory_summary.txt"));
    assertThat(table.abbreviated()).isEqualTo(text(golden, "memory_summary_abbreviated.txt"));
  }

  /** Runs a case and returns the statistics of its first record with the most reserved bytes. */
  private static SortedMap<String, Long> statsAtMostReserved(Path folder) throws IOException {
    GoldenCase golden = new GoldenCase(folder);
    ReplayConfig config = golden.config();
    TraceDevice device = new SimTraceDevice(CachingTraceReplay.device(config));
    CachingAllocator allocator =
        new CachingAllocator(device.device(), CachingTraceReplay.options(config));
    RecordWriter discarded = new RecordWriter(OutputStream.nullOutputStream());
    CachingOperations operations =
        new CachingOperations(device, allocator, new CachingRecords(discarded, allocator, device));
    SortedMap<String, Long> best = new TreeMap<>(Map.of("reserved_bytes.all.current", -1L));
    try (InputStream in = TraceInput.open(golden.trace())) {
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

  private static String text(Path folder, String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }
}
