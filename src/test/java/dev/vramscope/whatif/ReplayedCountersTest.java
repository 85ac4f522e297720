package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The counters of a replay against {@code torch.cuda.memory_stats()} of the program itself. */
class ReplayedCountersTest {
  @Test
  void countersAreThoseOfTheProgram() throws IOException {
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (TruthCase program : TruthCase.all("programs")) {
      JsonNode stats =
          JsonMapper.shared().readTree(program.folder().resolve("memory_stats.json").toFile());
      var counters =
          ReplayedCounters.of(
                  RecordedRun.of(program.snapshot(), program.device()),
                  program.truth().path("settings").asString(),
                  DeviceSize.of(program.number("totalBytes", 0), 0),
                  new Progress())
              .counters();
      long active = stats.path("active_bytes.all.current").asLong();
      boolean isSameMoment = active == counters.getOrDefault("active_bytes.all.current", -1L);
      for (var recorded : stats.properties()) {
        String key = recorded.getKey();
        if (!isSameMoment && !isKeptByFrees(key)) {
          continue;
        }
        Long found = counters.get(key);
        if (found == null && key.startsWith("inactive_split")) {
          // The order in which frees of several streams complete is not recorded.
          assertThat(program.name()).isEqualTo("side_stream");
          continue;
        }
        compared++;
        if (found == null || found != recorded.getValue().asLong()) {
          wrong.add(
              program + " " + recorded.getKey() + ": " + found + ", not " + recorded.getValue());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isGreaterThan(1200);
  }

  /** One program frees its model between the snapshot and its statistics. */
  private static boolean isKeptByFrees(String key) {
    return key.startsWith("num_")
        || (!key.startsWith("inactive_split")
            && (key.endsWith(".peak") || key.endsWith(".allocated")));
  }
}
