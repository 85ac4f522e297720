package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.TruthCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Random traces, recorded by PyTorch's own allocator and run again by it under other settings: the
 * replays of the recordings are equal, number by number. {@code script/whatif-random} makes others
 * of them, and names their folder in {@code vramscope.whatif-cases}.
 */
class RandomWhatIfTest {
  @Test
  void replaysAreEqualToPyTorchs() {
    String named = System.getProperty("vramscope.whatif-cases");
    Path folder = named == null ? TestData.folder("whatif-random") : Path.of(named);
    int rows = 0;
    List<String> wrong = new ArrayList<>();
    for (TruthCase recording : TruthCase.all(folder)) {
      RecordedRun recorded = RecordedRun.of(recording.snapshot(), recording.device());
      DeviceSize size = DeviceSize.of(recording.number("totalBytes", 0), 0);
      for (JsonNode row : recording.truth().path("rows")) {
        rows++;
        Variant variant = new Variant.Caching(row.path("settings").asString());
        Outcome found = Replay.run(recorded, variant, size, new Progress());
        boolean hasSameEnd = found.fits() == row.path("fits").asBoolean();
        if (!hasSameEnd || !numbers(found).equals(numbers(row))) {
          wrong.add(recording + " " + variant.label() + ": " + found + ", not " + row);
        }
      }
    }
    System.out.println("Random recordings: " + (rows - wrong.size()) + " of " + rows + " equal");
    assertThat(rows).isPositive();
    assertThat(wrong).isEmpty();
  }

  private static List<Long> numbers(JsonNode row) {
    return List.of(
        row.path("ooms").asLong(),
        row.path("peakReservedBytes").asLong(),
        row.path("peakAllocatedBytes").asLong(),
        row.path("driverAllocations").asLong(),
        row.path("driverFrees").asLong(),
        row.path("retries").asLong());
  }

  private static List<Long> numbers(Outcome found) {
    return List.of(
        found.ooms(),
        found.peakReservedBytes(),
        found.peakAllocatedBytes(),
        found.driverAllocations(),
        found.driverFrees(),
        found.retries());
  }
}
