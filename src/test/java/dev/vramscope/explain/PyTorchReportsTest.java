package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Counters and timelines that PyTorch exports. */
class PyTorchReportsTest {
  private static String uncompressed(String name) throws IOException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(TestData.file("profiler/" + name)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String fields(String text) {
    List<LogMessage> messages = Producers.read(text).messages();
    assertThat(messages).hasSize(1);
    StringBuilder fields = new StringBuilder(messages.getFirst().kind().id());
    for (Field field : messages.getFirst().fields()) {
      fields
          .append('\n')
          .append(field.name().id())
          .append(field.of().isEmpty() ? "" : " " + field.of())
          .append(' ')
          .append(field.written());
    }
    return fields.toString();
  }

  @Test
  void bothFormsOfATimelineHaveTheSamePeak() throws IOException {
    String raw = fields(uncompressed("timeline.raw.json.gz"));
    String coalesced = fields(uncompressed("timeline.json.gz"));
    assertThat(raw).startsWith("torch-timeline\nrecords ").contains("at-peak optimizer state ");
    assertThat(raw).contains("peak-time 30.44");
    // The sum of the sizes of each row of the file, and the time of the greatest one.
    assertThat(coalesced).contains("in-use-peak 3236032\npeak-time 30.444 ms\n");
    assertThat(withoutTimes(raw)).isEqualTo(withoutTimes(coalesced));
  }

  /** One has nanoseconds, and both begin at another event. */
  private static String withoutTimes(String fields) {
    return fields
        .replaceFirst("records \\d+\nduration .*\n", "")
        .replaceFirst("peak-time .*\n", "");
  }

  @Test
  void aTimelineIsReadAsItsExporterWritesIt() {
    assertThat(fields("[[-1, 1, 100, 0], [2000, 2, 50, 4], [5000, 3, -50, 4], [5000, 3, 50, 5]]"))
        .isEqualTo(
            """
            torch-timeline
            records 4
            duration 0.003 ms
            in-use-peak 150
            peak-time 0.000 ms
            at-peak parameters 100
            at-peak activations 50
            in-use 150\
            """);
    assertThat(fields("[[10, 20], [[0,7,0,0,0,0,0,0,0], [0,7,0,0,0,9,0,0,0]]]"))
        .contains(
            """
            records 2
            duration 0.010 ms
            in-use-peak 16
            peak-time 0.010 ms
            at-peak parameters 7\
            """);
  }

  @Test
  void listsOfOtherNumbersAreNoTimeline() {
    for (String text :
        List.of(
            "[[1, 2, 3]]",
            "[[1, 2, 3, 99]]",
            "[[1, 2], [[1, 2]]]",
            "[[1, 2, 3, 4], [5",
            "[[1, 2, 9223372036854775807, 0], [1, 2, 9223372036854775807, 0]]",
            "[[1.5, 2, 3, 0]]")) {
      assertThat(Producers.read(text).messages()).as(text).isEmpty();
    }
  }

  @Test
  void countersInEveryFormThatPythonPrints() {
    String expected =
        "memory-stats\nallocated 90\nallocated-peak 95\nretries 1\nfailures 2\nreserved 128";
    assertThat(
            fields(
                "{\"allocated_bytes.all.current\": 90, \"allocated_bytes.all.peak\": 95,"
                    + " \"num_alloc_retries\": 1, \"num_ooms\": 2,"
                    + " \"reserved_bytes.all.current\": 128}"))
        .isEqualTo(expected);
    assertThat(
            fields(
                "OrderedDict([('allocated_bytes.all.current', 90), ('allocated_bytes.all.peak',"
                    + " 95), ('num_alloc_retries', 1), ('num_ooms', 2),"
                    + " ('reserved_bytes.all.current', 128)])"))
        .isEqualTo(expected);
  }

  @Test
  void countersOfRealPrograms() throws IOException {
    Path stats = TestData.file("programs/autocast_and_accumulation/memory_stats.json");
    assertThat(fields(Files.readString(stats)))
        .startsWith("memory-stats\n")
        .contains("\nreserved-peak ", "\nfailures ");
  }
}
