package dev.vramscope.format.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Memory events of torch.profiler, in the shapes of 2021 and of today; written by hand. */
class ProfilerTraceReaderTest {
  private static final String TODAY =
      """
      {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100",
        "totalGlobalMem": 85899345920}], "traceEvents": [
       {"ph": "X", "cat": "cpu_op", "name": "aten::empty", "ts": 10.5, "args": {"Bytes": 7}},
       {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1,
        "ts": 30.25, "args": {"Total Reserved": 4194304, "Total Allocated": 1536, "Bytes": 512,
        "Addr": 140000000001024, "Device Id": 0, "Device Type": 1, "Ev Idx": 3}},
       {"ph": "i", "name": "[memory]", "ts": 20.5, "args": {"Total Reserved": 2097152,
        "Total Allocated": 1024, "Bytes": 512, "Addr": 140000000000512, "Device Id": 0,
        "Device Type": 1}},
       {"ph": "i", "name": "[memory]", "ts": 25, "args": {"Bytes": 64, "Addr": 99,
        "Device Id": -1, "Device Type": 0, "Total Allocated": 64, "Total Reserved": 0}},
       {"ph": "i", "name": "[memory]", "ts": 40, "args": {"Bytes": -512,
        "Addr": 140000000000512, "Device Id": 0, "Device Type": 1, "Total Allocated": 1024}},
       {"ph": "i", "name": "[OutOfMemory]", "ts": 50, "args": {"Bytes": 1073741824,
        "Device Id": 0, "Device Type": 1, "Total Allocated": 1024, "Total Reserved": 4194304}}
      ], "baseTimeNanoseconds": 1700000000000000000}
      """;

  private static Snapshot read(String text) throws IOException, FormatException {
    return ProfilerTraceReader.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
  }

  private static List<String> events(Trace trace) {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      events.add(trace.action(i) + " " + trace.address(i) + " " + trace.bytes(i));
    }
    return events;
  }

  @Test
  void memoryEventsOfAGpuAreSortedByTime() throws IOException, FormatException {
    Snapshot snapshot = read(TODAY);
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(snapshot.devices()).hasSize(1);
    assertThat(events(device.trace()))
        .containsExactly(
            "ALLOC 140000000000512 512",
            "ALLOC 140000000001024 512",
            "FREE_COMPLETED 140000000000512 512",
            "OOM 0 1073741824");
    assertThat(device.trace().timeMicros(0)).isEqualTo(1_700_000_000_000_020L);
    assertThat(device.facts().deviceBytes()).hasValue(80L << 30);
    assertThat(device.kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    assertThat(snapshot.findings())
        .extracting(Finding::message)
        .anyMatch(text -> text.contains("at most 4,194,304 bytes"))
        .anyMatch(text -> text.contains("neither the stacks"));
  }

  @Test
  void eventsWithoutAddressesAreMatchedBySize() throws IOException, FormatException {
    String event =
        "{\"name\": \"[memory]\", \"ts\": %d, \"args\": {\"Device Type\": 1, \"Device Id\": 0,"
            + " \"Bytes\": %d}}";
    Snapshot snapshot =
        read(
            "{\"traceEvents\": ["
                + event.formatted(1, 100)
                + ","
                + event.formatted(2, 100)
                + ","
                + event.formatted(3, -100)
                + "]}");
    List<String> events = events(snapshot.devices().getFirst().trace());
    assertThat(events.get(2)).isEqualTo(events.get(0).replace("ALLOC", "FREE_COMPLETED"));
    assertThat(snapshot.findings()).extracting(Finding::code).contains("profiler-addresses");
  }

  @Test
  void aTraceWithoutMemoryIsNamed() {
    assertThatThrownBy(() -> read("{\"traceEvents\": []}"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no event of a GPU’s memory")
        .hasMessageContaining("profile_memory=True");
    assertThatThrownBy(
            () ->
                read(
                    "{\"traceEvents\": [{\"name\": \"[memory]\", \"ts\": 1, \"args\": {\"Device"
                        + " Type\": 1, \"Device Id\": 0, \"Bytes\": 9223372036854775807}}]}"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("numbers that no device has");
  }

  @Test
  void everyTruncationAndMutationIsReadOrRefused() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 3000; round++) {
      StringBuilder text = new StringBuilder(TODAY);
      if (round < TODAY.length()) {
        text.setLength(round);
      } else {
        for (int change = random.nextInt(1, 5); change > 0; change--) {
          text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(32, 127));
        }
      }
      try {
        assertThat(read(text.toString()).devices()).isNotEmpty();
      } catch (FormatException refused) {
        assertThat(refused.what()).isNotEmpty();
      }
    }
  }
}
