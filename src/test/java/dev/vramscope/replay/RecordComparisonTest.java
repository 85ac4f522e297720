package dev.vramscope.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordComparisonTest {
  private static Optional<String> compare(String expected, String actual) {
    return new RecordComparison(expected.getBytes(UTF_8), actual.getBytes(UTF_8)).firstDifference();
  }

  @Test
  void ignoresFieldOrderAndNumberFormat() {
    assertThat(
            compare(
                "{\"line\":1,\"op\":\"x\",\"v\":0.90000000000000002,\"w\":1}\n",
                "{\"line\":1,\"w\":1.0,\"op\":\"x\",\"v\":0.9}\n"))
        .isEmpty();
  }

  @Test
  void reportsTheFirstDifferenceWithItsPath() {
    String records =
        """
        {"line":1,"op":"a"}
        {"line":7,"op":"b","s":[{"x":1},{"x":%d}]}
        """;
    assertThat(compare(records.formatted(2), records.formatted(3)))
        .hasValue("record 2 (line 7, op b) s[1] x: expected 2, got 3");
  }

  @Test
  void missingAndExtraFieldsAndRecordsAreDifferences() {
    assertThat(compare("{\"a\":1}\n", "{}\n")).isPresent();
    assertThat(compare("{}\n", "{\"a\":1}\n")).isPresent();
    assertThat(compare("{}\n", "{}\n{}\n")).isPresent();
    assertThat(compare("{}\n{}\n", "{}\n")).isPresent();
    assertThat(compare("{\"s\":[1]}\n", "{\"s\":[1,2]}\n")).isPresent();
    assertThat(compare("{\"a\":\"1\"}\n", "{\"a\":1}\n")).isPresent();
    assertThat(compare("{}\n", "what?\n")).isPresent();
  }

  @Test
  void ignoresRequestedSizeOfInactiveBlocks() {
    String block = "{\"blocks\":[{\"requested_size\":%d,\"state\":\"%s\"}]}\n";
    assertThat(compare(block.formatted(1, "inactive"), block.formatted(2, "inactive"))).isEmpty();
    assertThat(
            compare(block.formatted(1, "active_allocated"), block.formatted(2, "active_allocated")))
        .isPresent();
  }

  @Test
  void ignoresOrderOfAdjacentCompletedFreesOfDifferentStreams() {
    String trace = "{\"device_traces\":[[%s,%s]]}\n";
    String free = "{\"action\":\"free_completed\",\"addr\":%d,\"stream\":%d}";
    String one = free.formatted(1, 1);
    String two = free.formatted(2, 2);
    String other = free.formatted(3, 1);
    assertThat(compare(trace.formatted(one, two), trace.formatted(two, one))).isEmpty();
    assertThat(compare(trace.formatted(one, other), trace.formatted(other, one))).isPresent();
    String alloc = "{\"action\":\"alloc\",\"addr\":1,\"stream\":1}";
    assertThat(compare(trace.formatted(alloc, two), trace.formatted(two, alloc))).isPresent();
  }
}
