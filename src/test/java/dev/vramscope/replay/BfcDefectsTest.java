package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vramscope.TestData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces that make XLA's allocator hang or abort its process. */
class BfcDefectsTest {
  private static final String CONFIG = "# config: ";

  /** For the trace without a configuration: the device allocates at most 1 MiB per call. */
  private static final String SMALL_REGIONS =
      "memory_limit=1G allow_growth=1 device.capacity=2G device.max_block=1M";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "region_target_overflow",
        "spatial_second_region",
        "spatial_free_two_regions",
        "spatial_realistic_80g"
      })
  void everyRequestIsServed(String name) throws IOException {
    Path trace = TestData.file("golden/bfc/defects/" + name + ".trace");
    List<String> lines = Files.readAllLines(trace);
    // The timeout only turns a hang into a failure.
    List<String> records =
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> replay(trace, config(lines)));
    long operations = lines.stream().filter(l -> !l.isBlank() && !l.startsWith("#")).count();
    assertThat(records).hasSize((int) operations);
    assertThat(records).noneMatch(record -> record.contains("\"addr\":null"));
  }

  private static String config(List<String> trace) {
    String settings =
        trace.stream()
            .filter(line -> line.startsWith(CONFIG))
            .findFirst()
            .map(line -> line.substring(CONFIG.length()))
            .orElse(SMALL_REGIONS);
    return settings.replace(' ', '\n') + "\nlog=hash\n";
  }

  private List<String> replay(Path trace, String config) throws IOException {
    Path file = Files.writeString(folder.resolve("config.txt"), config);
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    try (InputStream in = TraceInput.open(trace)) {
      new BfcReplay().replay(ReplayConfig.read(file), in, records);
    }
    return records.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
