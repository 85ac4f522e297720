package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActiveBytesTest {
  @Test
  void activeAndReservedBytesEqualThoseOfTheModel() {
    for (long seed = 100; seed < 140; seed++) {
      HistoryModel model = HistoryModel.of(seed, 200);
      int from = (int) (seed * 13 % model.eventCount());
      DeviceSnapshot device = model.recordedFrom(from);
      ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
      assertThat(active.baselineBytes()).isEqualTo(model.activeBytes(from - 1));
      assertThat(active.isReservedKnown()).isTrue();
      for (int event = -1; event < device.trace().size(); event++) {
        assertThat(active.at(event)).as("seed %d", seed).isEqualTo(model.activeBytes(from + event));
        assertThat(active.reservedAt(event))
            .as("seed %d event %d", seed, event)
            .isEqualTo(model.reservedBytes(from + event));
      }
    }
  }

  @Test
  void peakIncludesAllocationsFromBeforeTheRecording() {
    HistoryModel model = HistoryModel.of(7, 300);
    DeviceSnapshot device = model.recordedFrom(200);
    Lifetimes lifetimes = Lifetimes.of(device);
    HighWaterMark mark = HighWaterMark.of(lifetimes, ActiveBytes.of(device, lifetimes));
    long peak = 0;
    for (int event = 199; event < model.eventCount(); event++) {
      peak = Math.max(peak, model.activeBytes(event));
    }
    assertThat(mark.bytes()).isEqualTo(peak);
    assertThat(mark.recordedOnlyBytes()).isLessThan(peak);
    assertThat(mark.liveBeforeBytes()).isPositive();
    long all = 0;
    int count = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, mark.event())) {
        all += lifetimes.bytes(row);
        count++;
      }
    }
    assertThat(all).isEqualTo(peak);
    assertThat(mark.allocationCount()).isEqualTo(count);
  }

  @Test
  void peakMayBeBeforeTheFirstEvent() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.FREE_REQUESTED, 512, 100);
    trace.add(TraceAction.FREE_COMPLETED, 512, 100);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
    assertThat(active.peakBytes()).isEqualTo(100);
    // The block is still active after the free request, so the first event only repeats the peak.
    assertThat(active.peakEvent()).isEqualTo(Lifetimes.BEFORE_RECORDING);
  }

  @Test
  void reservedBytesAreUnknownWithoutSegmentsOrIfTheyContradictTheEvents() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.ALLOC, 512, 100);
    DeviceSnapshot bare = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    ActiveBytes unknown = ActiveBytes.of(bare, Lifetimes.of(bare));
    assertThat(unknown.isReservedKnown()).isFalse();
    assertThat(unknown.reservedAt(0)).isEqualTo(ActiveBytes.UNKNOWN);
    assertThat(unknown.peakReservedBytes()).isEqualTo(ActiveBytes.UNKNOWN);
    trace.add(TraceAction.SEGMENT_ALLOC, 4096, 2 << 20);
    DeviceSnapshot negative = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    assertThat(ActiveBytes.of(negative, Lifetimes.of(negative)).isReservedKnown()).isFalse();
  }
}
