package dev.vramscope.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemorySummaryTest {
  private static MemorySummary summary(DeviceSnapshot device, Map<String, String> settings) {
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", "test", Trace.NO_TIME),
            settings.isEmpty() ? Optional.empty() : Optional.of(new AllocatorSettings(settings)),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    return MemorySummary.of(snapshot, device, lifetimes, ActiveBytes.of(device, lifetimes));
  }

  @Test
  void completeTraceHasPeaksAndTotals() {
    for (long seed = 0; seed < 30; seed++) {
      HistoryModel model = HistoryModel.of(seed, 200);
      MemorySummary found = summary(model.recordedFrom(0), Map.of());
      assertThat(found.isComplete()).as("seed %d", seed).isTrue();
      long requestedPeak = 0;
      long reservedPeak = 0;
      long segmentPeak = 0;
      long activePeak = 0;
      for (int event = 0; event < model.eventCount(); event++) {
        requestedPeak = Math.max(requestedPeak, model.activeBytes(event));
        reservedPeak = Math.max(reservedPeak, model.reservedBytes(event));
        segmentPeak = Math.max(segmentPeak, model.state(event).size());
        activePeak = Math.max(activePeak, activeCount(model.state(event)));
      }
      assertThat(found.counters())
          .as("seed %d", seed)
          .containsEntry("requested_bytes.all.peak", requestedPeak)
          .containsEntry("reserved_bytes.all.peak", reservedPeak)
          .containsEntry("segment.all.peak", segmentPeak)
          .containsEntry("active.all.peak", activePeak)
          .containsEntry("num_ooms", 0L)
          .doesNotContainKeys("allocated_bytes.all.peak", "num_alloc_retries");
    }
  }

  private static long activeCount(List<Segment> segments) {
    return segments.stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(Block::isActive)
        .count();
  }

  @Test
  void currentValuesAreThoseOfTheFinalState() {
    HistoryModel model = HistoryModel.of(3, 300);
    DeviceSnapshot device = model.recordedFrom(250);
    MemorySummary found = summary(device, Map.of());
    long allocated = 0;
    long inactiveSplit = 0;
    for (Segment segment : device.segments()) {
      allocated += segment.allocatedBytes();
      inactiveSplit += segment.blocks().size() > 1 ? segment.inactiveBytes() : 0;
    }
    assertThat(found.isComplete()).isFalse();
    assertThat(found.counters())
        .containsEntry("allocated_bytes.all.current", allocated)
        .containsEntry("inactive_split_bytes.all.current", inactiveSplit)
        .containsEntry("segment.all.current", (long) device.segments().size())
        .containsEntry("active.all.current", activeCount(device.segments()))
        .doesNotContainKeys("requested_bytes.all.peak", "num_ooms", "oversize_segments.current");
    assertThat(new SummaryTable(found.device(), found.counters()).full())
        .contains("CUDA OOMs: unknown");
    long byPool =
        found.counters().getOrDefault("active_bytes.small_pool.current", -1L)
            + found.counters().getOrDefault("active_bytes.large_pool.current", -1L);
    assertThat(found.counters()).containsEntry("active_bytes.all.current", byPool);
  }

  @Test
  void overflowedTraceIsNotComplete() {
    DeviceSnapshot device = HistoryModel.of(3, 50).recordedFrom(0);
    assertThat(summary(device, Map.of("trace_alloc_overflowed", "True")).isComplete()).isFalse();
    assertThat(summary(device, Map.of("trace_alloc_overflowed", "False")).isComplete()).isTrue();
  }

  @Test
  void oversizeCountersAreZeroIfSplitsAreUnlimited() {
    DeviceSnapshot device = HistoryModel.of(3, 50).recordedFrom(10);
    assertThat(summary(device, Map.of("max_split_size", "-1")).counters())
        .containsEntry("oversize_segments.peak", 0L);
    assertThat(summary(device, Map.of("max_split_size", "67108864")).counters())
        .doesNotContainKey("oversize_segments.peak");
  }

  @Test
  void requestedMemoryIsUnknownIfARequestIsMissing() {
    Segment segment =
        new Segment(
            512,
            1024,
            0,
            PoolKind.SMALL,
            PoolId.DEFAULT,
            false,
            0,
            List.of(
                new Block(512, 512, Block.UNKNOWN, BlockState.ALLOCATED, 0),
                new Block(1024, 512, 10, BlockState.ALLOCATED, 0)));
    assertThat(
            summary(new DeviceSnapshot(0, List.of(segment), Trace.EMPTY, List.of()), Map.of())
                .counters())
        .doesNotContainKey("requested_bytes.all.current")
        .containsEntry("allocated_bytes.all.current", 1024L);
  }
}
