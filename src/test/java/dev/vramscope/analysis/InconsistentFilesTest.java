package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.ledger.Fragmentation;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Files whose numbers contradict each other are rejected, or read with a finding so that the
 * invariants of the architecture hold: no negative number, no part larger than its whole.
 */
class InconsistentFilesTest {
  private static final int FILES = 3_000;
  private static final long[] SIZES = {
    0,
    1,
    512,
    513,
    1 << 20,
    2 << 20,
    20 << 20,
    1L << 40,
    1L << 50,
    (1L << 60) - 1,
    1L << 62,
    Long.MAX_VALUE,
    -1
  };
  private static final String[] STATES = {
    "active_allocated", "active_pending_free", "active_awaiting_free", "inactive"
  };
  private static final String[] ACTIONS = {
    "alloc",
    "free_requested",
    "free_completed",
    "segment_alloc",
    "segment_free",
    "segment_map",
    "segment_unmap",
    "oom",
    "snapshot",
    "other"
  };

  private final SplittableRandom random = new SplittableRandom(20261122);

  @Test
  void invariantsHoldForEveryAcceptedFile() throws IOException {
    int accepted = 0;
    for (int i = 0; i < FILES; i++) {
      String json = file();
      try {
        Snapshot snapshot =
            TorchJsonReader.read(
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
                ReadLimits.forHeap(64 << 20));
        accepted++;
        for (DeviceSnapshot device : snapshot.devices()) {
          checkInvariants(snapshot, device, json);
        }
      } catch (FormatException rejected) {
        assertThat(rejected.where()).as(json).isNotBlank();
      }
    }
    assertThat(accepted).isGreaterThan(FILES / 10);
  }

  private static void checkInvariants(Snapshot snapshot, DeviceSnapshot device, String json) {
    Lifetimes lifetimes = Lifetimes.of(device);
    ActiveBytes active = ActiveBytes.of(device, lifetimes);
    SizeRules sizes = SizeRules.of(snapshot.settings());
    AllocatorState state = AllocatorState.end(device);
    Ledger ledger = Ledger.of(state, sizes, Ledger.DeviceMemory.UNKNOWN);
    long reserved = device.segments().stream().mapToLong(Segment::bytes).sum();
    long sum = 0;
    for (Ledger.Row row : ledger.rows()) {
      if (row.amount() instanceof Amount.Known(long bytes)) {
        assertThat(bytes).as(row.item() + " of " + json).isNotNegative();
        sum += row.item().isReserved() ? bytes : 0;
      }
    }
    assertThat(sum).as(json).isEqualTo(ledger.reservedBytes()).isEqualTo(reserved);
    for (int event = 0; event < active.eventCount(); event++) {
      assertThat(active.at(event)).as(json).isNotNegative();
    }
    assertThat(active.peakBytes()).as(json).isNotNegative();
    for (Fragmentation.Pool pool :
        Fragmentation.of(state, lifetimes, active, sizes, AllocatorFamily.CACHING).pools()) {
      assertThat(pool.freeBytes() + pool.allocatedBytes() + pool.pendingFreeBytes())
          .as(json)
          .isEqualTo(pool.reservedBytes());
      pool.external().ifPresent(share -> assertThat(share).as(json).isBetween(0.0, 1.0));
    }
    MemorySummary.of(snapshot, device, lifetimes, active)
        .counters()
        .forEach((name, count) -> assertThat(count).as(name + " of " + json).isNotNegative());
    Sites sites = DeviceSites.of(device, FrameRules.standard().classify(snapshot.stacks()));
    for (Sites.Row row : sites.rows()) {
      assertThat(row.liveBytes()).as(json).isBetween(0L, sites.liveBytes());
      assertThat(row.peakBytes()).as(json).isBetween(0L, sites.peakBytes());
      assertThat(row.neverFreedBytes()).as(json).isBetween(0L, row.totalBytes());
    }
  }

  private String file() {
    StringBuilder json = new StringBuilder("{\"segments\": [");
    for (int i = random.nextInt(3); i > 0; i--) {
      json.append("{\"address\": ").append(address());
      optional(json, "total_size", size());
      optional(json, "allocated_size", size());
      optional(json, "active_size", size());
      optional(json, "requested_size", size());
      json.append(", \"is_expandable\": ").append(random.nextBoolean()).append(", \"blocks\": [");
      for (int j = random.nextInt(4); j > 0; j--) {
        json.append("{\"size\": ").append(size());
        optional(json, "address", address());
        optional(json, "requested_size", size());
        optional(json, "size", size());
        text(json, "state", STATES[random.nextInt(STATES.length)]);
        json.append(j > 1 ? "}," : "}");
      }
      json.append(i > 1 ? "]}," : "]}");
    }
    json.append("], \"device_traces\": [[");
    for (int i = random.nextInt(6); i > 0; i--) {
      json.append("{\"addr\": ").append(address());
      text(json, "action", ACTIONS[random.nextInt(ACTIONS.length)]);
      optional(json, "size", size());
      optional(json, "time_us", size());
      optional(json, "device_free", size());
      if (random.nextBoolean()) {
        json.append(", \"frames\": [{\"name\": \"f").append(random.nextInt(3)).append("\"}]");
      }
      json.append(i > 1 ? "}," : "}");
    }
    return json.append("]]}").toString();
  }

  // Mostly ordinary values: one impossible value suffices to reject a file.
  private long size() {
    return SIZES[random.nextInt(random.nextInt(12) == 0 ? SIZES.length : 7)];
  }

  private long address() {
    return random.nextInt(20) == 0 ? Long.MAX_VALUE - 4095 : (1L << 40) + (random.nextInt(8) << 18);
  }

  private void optional(StringBuilder json, String key, long value) {
    if (random.nextInt(3) > 0) {
      json.append(", \"").append(key).append("\": ").append(value);
    }
  }

  private static void text(StringBuilder json, String key, String value) {
    json.append(", \"").append(key).append("\": \"").append(value).append('"');
  }
}
