package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The counters of a real program, in the shapes in which scripts keep them. */
class StatsDocumentTest {
  private static final JsonNode STATS = stats();

  private static JsonNode stats() {
    try {
      return JsonMapper.shared()
          .readTree(Files.readString(TestData.file("programs/train_fixed/memory_stats.json")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String number(String key) {
    return STATS.get(key).asString();
  }

  private static void isComplete(LogMessage message) {
    assertThat(message.written(FieldName.ALLOCATED))
        .hasValue(number("allocated_bytes.all.current"));
    assertThat(message.written(FieldName.ALLOCATED_PEAK))
        .hasValue(number("allocated_bytes.all.peak"));
    assertThat(message.written(FieldName.RESERVED_PEAK))
        .hasValue(number("reserved_bytes.all.peak"));
    assertThat(message.written(FieldName.FAILURES)).hasValue(number("num_ooms"));
  }

  private static List<LogMessage> read(String text) {
    return Producers.read(text).messages();
  }

  private static List<String> headlines(String text) {
    return LogExplanation.of(text).conclusions().stream().map(each -> each.headline()).toList();
  }

  @Test
  void underAKeyPerDeviceOrRank() {
    String text = "{\"cuda:0\": " + STATS + ", \"cuda:1\": {\"memory_stats\": " + STATS + "}}";
    List<LogMessage> messages = read(text);
    assertThat(messages).hasSize(2).allSatisfy(StatsDocumentTest::isComplete);
    assertThat(headlines(text)).anyMatch(each -> each.contains("of GPU 0")).hasSize(2);
    String ranks =
        "[{\"rank\": 0, \"stats\": " + STATS + "}, {\"rank_1\": " + STATS + "}, " + STATS + "]";
    assertThat(read(ranks)).hasSize(3).allSatisfy(StatsDocumentTest::isComplete);
    assertThat(headlines(ranks))
        .anyMatch(each -> each.contains("under “[2]”"))
        .anyMatch(each -> each.contains("rank 1"));
  }

  @Test
  void withAPrefixAsTextOrAsFloats() {
    String prefixed = STATS.toString().replaceAll("\"([a-z_]+[._a-z]*)\":", "\"gpu/$1\":");
    assertThat(read(prefixed)).hasSize(1).allSatisfy(StatsDocumentTest::isComplete);
    String texts = STATS.toString().replaceAll(":(\\d+)", ":\"$1\"");
    assertThat(read(texts)).hasSize(1).allSatisfy(StatsDocumentTest::isComplete);
    assertThat(read("{\"m/allocated_bytes.all.peak\": 9126805504.0}"))
        .singleElement()
        .satisfies(
            message ->
                assertThat(message.quantity(FieldName.ALLOCATED_PEAK).orElseThrow().bytes())
                    .isEqualTo(9_126_805_504L));
    // Somebody converted it: the key does not say to which unit.
    assertThat(read("{\"m\": {\"allocated_bytes.all.peak\": 8.5}}"))
        .allMatch(message -> message.quantity(FieldName.ALLOCATED_PEAK).isEmpty());
  }

  @Test
  void nestedAsPyTorchNestsThem() {
    String nested =
        JsonMapper.shared()
            .writeValueAsString(
                Map.of(
                    "allocated_bytes",
                    Map.of(
                        "all",
                        Map.of(
                            "current",
                            STATS.get("allocated_bytes.all.current"),
                            "peak",
                            STATS.get("allocated_bytes.all.peak")),
                        "small_pool",
                        Map.of("current", 1)),
                    "reserved_bytes",
                    Map.of("all", Map.of("peak", STATS.get("reserved_bytes.all.peak"))),
                    "num_ooms",
                    STATS.get("num_ooms")));
    assertThat(read(nested)).hasSize(1).allSatisfy(StatsDocumentTest::isComplete);
  }

  @Test
  void oneObjectPerLineOfWhichTheLastAreTold() {
    StringBuilder lines = new StringBuilder();
    for (int step = 0; step < 100; step++) {
      lines.append("{\"step\": %d, \"allocated_bytes.all.peak\": %d}\n".formatted(step, step + 1));
    }
    List<LogMessage> messages = read(lines.toString());
    assertThat(messages).hasSize(64);
    assertThat(messages.getLast().written(FieldName.ALLOCATED_PEAK)).hasValue("100");
    assertThat(messages.getLast().written(FieldName.LEFT_OUT)).hasValue("36");
  }

  @Test
  void aPlainSetIsReadAsBefore() {
    assertThat(read(STATS.toString()))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.kind().id()).isEqualTo("memory-stats");
              isComplete(message);
            });
    assertThat(read("{\"loss_bytes\": {\"all\": 3}}")).isEmpty();
  }
}
