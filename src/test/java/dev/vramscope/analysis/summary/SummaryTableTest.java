package dev.vramscope.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SummaryTableTest {
  private static final Pattern COUNTER = Pattern.compile("\"([^\"]+)\"\\s*:\\s*(-?\\d+)");

  @TestFactory
  Stream<DynamicTest> equalsTheTextThatPyTorchPrints() throws IOException {
    Path folder = TestData.folder("golden/summary");
    try (Stream<Path> cases = Files.list(folder)) {
      return cases.filter(Files::isDirectory).sorted().toList().stream()
          .map(
              golden ->
                  DynamicTest.dynamicTest(
                      golden.getFileName().toString(), () -> compareWith(golden)));
    }
  }

  private static void compareWith(Path golden) throws IOException {
    Map<String, Long> counters = new HashMap<>();
    COUNTER
        .matcher(Files.readString(golden.resolve("memory_stats.json")))
        .results()
        .forEach(found -> counters.put(found.group(1), Long.parseLong(found.group(2))));
    SummaryTable table = new SummaryTable(0, counters);
    assertThat(table.full()).isEqualTo(Files.readString(golden.resolve("memory_summary.txt")));
    assertThat(table.abbreviated())
        .isEqualTo(Files.readString(golden.resolve("memory_summary_abbreviated.txt")));
  }

  @Test
  void missingCountersAreUnknownAndTheTableKeepsItsWidth() {
    SummaryTable table = new SummaryTable(3, Map.of("allocated_bytes.all.current", 1024L));
    assertThat(table.full().lines()).allSatisfy(line -> assertThat(line).hasSize(77));
    assertThat(table.full())
        .contains("CUDA OOMs: unknown")
        .contains("cudaMalloc retries: unknown")
        .contains("| Allocated memory      |   1024 B   |    unknown |    unknown |    unknown |")
        .contains("device ID 3 ");
  }

  @Test
  void lowerBoundsOfMissingCountersAreMarkedAndNeverRoundedUp() {
    Map<String, Long> bounds =
        Map.of(
            "allocated_bytes.all.peak", 14_716_000_000L,
            "active_bytes.all.peak", 99_999L,
            "reserved_bytes.all.peak", 133L << 30);
    SummaryTable table = new SummaryTable(0, Map.of("active_bytes.all.peak", 512L), bounds);
    assertThat(table.full().lines()).allSatisfy(line -> assertThat(line).hasSize(77));
    assertThat(table.full())
        .contains("| Allocated memory      |    unknown | ≥14034 MiB |    unknown |    unknown |")
        .contains("| Active memory         |    unknown |    512 B   |    unknown |    unknown |")
        .contains("| GPU reserved memory   |    unknown | ≥  133 GiB |    unknown |    unknown |");
  }

  @Test
  void unitIsChosenFromThePoolIfTheTotalIsMissing() {
    SummaryTable table = new SummaryTable(0, Map.of("active_bytes.large_pool.peak", 8L << 20));
    assertThat(table.full()).contains("   8192 KiB ");
  }
}
