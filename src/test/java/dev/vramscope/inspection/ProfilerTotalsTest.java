package dev.vramscope.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.profiler.ProfilerTraceReader;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A trace of torch.profiler that began in the middle of a run on two GPUs: after each event, active
 * and reserved memory are PyTorch's own totals beside it, which this test reads itself.
 */
class ProfilerTotalsTest {
  private static final long MIB = 1L << 20;

  private static byte[] file;
  private static SnapshotInspection snapshot;
  private static Map<Integer, List<JsonNode>> events;

  @BeforeAll
  static void read() throws IOException, FormatException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(TestData.file("profiler/trace.json.gz")))) {
      file = in.readAllBytes();
    }
    snapshot = inspect(file);
    events = new HashMap<>();
    for (JsonNode event : JsonMapper.shared().readTree(file).get("traceEvents")) {
      boolean isMemory =
          List.of("[memory]", "[OutOfMemory]").contains(event.get("name").asString());
      if (isMemory && event.get("args").get("Device Type").asInt() == 1) {
        int device = event.get("args").get("Device Id").asInt();
        events.computeIfAbsent(device, _ -> new ArrayList<>()).add(event);
      }
    }
    events
        .values()
        .forEach(each -> each.sort(Comparator.comparingDouble(e -> e.get("ts").asDouble())));
  }

  private static SnapshotInspection inspect(byte[] trace) throws IOException, FormatException {
    Snapshot read =
        ProfilerTraceReader.read(new ByteArrayInputStream(trace), ReadLimits.defaults());
    return SnapshotInspection.of(read);
  }

  private static List<JsonNode> eventsOf(int device) {
    return events.getOrDefault(device, List.of());
  }

  private static long total(JsonNode event, String which) {
    return event.get("args").get("Total " + which).asLong();
  }

  @Test
  void bothCurvesAreTheOwnTotalsOfEachEvent() {
    assertThat(events).hasSize(2);
    assertThat(snapshot.devices()).hasSize(2);
    for (DeviceInspection device : snapshot.devices()) {
      List<JsonNode> own = eventsOf(device.ordinal());
      ActiveBytes active = device.active();
      assertThat(active.eventCount()).isEqualTo(own.size());
      assertThat(active.isReservedKnown()).isTrue();
      for (int event = 0; event < own.size(); event++) {
        assertThat(active.at(event))
            .as("event %d", event)
            .isEqualTo(total(own.get(event), "Allocated"));
        assertThat(active.reservedAt(event)).isEqualTo(total(own.get(event), "Reserved"));
      }
      assertThat(active.peakBytes())
          .isEqualTo(own.stream().mapToLong(each -> total(each, "Allocated")).max().orElseThrow());
      assertThat(active.peakReservedBytes())
          .isEqualTo(own.stream().mapToLong(each -> total(each, "Reserved")).max().orElseThrow());
    }
  }

  @Test
  void memoryFromBeforeIsOnePartWithoutAnAddress() {
    DeviceInspection second = snapshot.devices().get(1);
    // The program allocated 3 MiB before the profiler began, and 7 MiB in it.
    Lifetimes lifetimes = second.lifetimes();
    assertThat(lifetimes.unnamedBytes()).isEqualTo(3 * MIB);
    assertThat(lifetimes.liveBeforeCount()).isEqualTo(1);
    assertThat(lifetimes.isUnnamed(0)).isTrue();
    assertThat(lifetimes.endEvent(0)).isEqualTo(Lifetimes.NEVER);
    assertThat(second.active().peakBytes()).isEqualTo(10 * MIB);
    Ledger ledger = second.moments().ledger(0, DeviceEvidence.NONE);
    assertThat(ledger.amount(Item.LIVE_EARLIER)).isEqualTo(new Amount.Known(3 * MIB));
    assertThat(ledger.amount(Item.LIVE_REQUESTED)).isEqualTo(new Amount.Known(7 * MIB));
    long reserved = total(eventsOf(1).getFirst(), "Reserved");
    assertThat(ledger.amount(Item.UNRECORDED)).isEqualTo(new Amount.Known(reserved - 10 * MIB));
    assertThat(ledger.reserved()).isEqualTo(new Amount.Known(reserved));
    // Which part of it was free is not in the trace.
    assertThat(ledger.amount(Item.CACHED_RELEASABLE)).isInstanceOf(Amount.Unknown.class);
    assertThat(second.missingData().findings())
        .extracting(Finding::code)
        .contains("profiler-before")
        .doesNotContain("reserved-unknown", "live-before-recording", "profiler-totals-differ");
  }

  @Test
  void theFailureNamesWhatTheAllocatorHeld() {
    DeviceInspection first = snapshot.devices().getFirst();
    JsonNode failed =
        eventsOf(0).stream()
            .filter(each -> each.get("name").asString().equals("[OutOfMemory]"))
            .findFirst()
            .orElseThrow();
    int event = first.ooms().getFirst().event();
    assertThat(first.active().at(event)).isEqualTo(total(failed, "Allocated"));
    Ledger ledger = first.moments().ledger(event, DeviceEvidence.NONE);
    assertThat(ledger.reserved()).isEqualTo(new Amount.Known(total(failed, "Reserved")));
    assertThat(first.failures().report(0, DeviceEvidence.NONE).liveBytes())
        .isEqualTo(total(failed, "Allocated"));
    assertThat(first.failures().report(0, DeviceEvidence.NONE).verdict().sentence())
        .contains("145.06 MiB was live", "held 150 MiB in all");
  }

  @Test
  void totalsThatAreNotTheSumAreSaid() throws IOException, FormatException {
    String text = new String(file, StandardCharsets.UTF_8);
    long last = total(eventsOf(0).getLast(), "Allocated");
    String name = "\"Total Allocated\": ";
    long equal = eventsOf(0).stream().filter(each -> total(each, "Allocated") == last).count();
    SnapshotInspection changed =
        inspect(text.replace(name + last, name + (last + 512)).getBytes(StandardCharsets.UTF_8));
    Optional<Finding> finding =
        changed.snapshot().findings().stream()
            .filter(each -> each.code().equals("profiler-totals-differ"))
            .findFirst();
    assertThat(finding.orElseThrow().message())
        .contains("after " + equal + " of the events", "up to 512 bytes");
  }
}
