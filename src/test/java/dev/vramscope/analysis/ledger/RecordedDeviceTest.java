package dev.vramscope.analysis.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RecordedDeviceTest {
  private static final long MIB = 1 << 20;

  /** One segment of 100 MiB with a live block. */
  private static DeviceSnapshot device(Trace trace, AllocatorFacts facts) {
    Block block = new Block(MIB, 100 * MIB, 90 * MIB, BlockState.ALLOCATED, StackTable.NONE);
    Segment segment =
        new Segment(MIB, 100 * MIB, 0, PoolKind.LARGE, PoolId.DEFAULT, false, 0, List.of(block));
    return new DeviceSnapshot(0, List.of(segment), trace, List.of(), facts);
  }

  private static RecordedDevice recorded(DeviceSnapshot device, OptionalLong entered) {
    return new RecordedDevice(device, ActiveBytes.of(device, Lifetimes.of(device)), entered);
  }

  private static Trace.Builder failedWith(long freeMib) {
    Trace.Builder trace = new Trace.Builder();
    trace.oom(trace.add(TraceAction.OOM, 0, 50 * MIB), 50 * MIB, freeMib * MIB);
    return trace;
  }

  @Test
  void freeMemoryAtTheLastFailureIsThatOfTheEndWhileSegmentsAreUnchanged() {
    Trace trace = failedWith(30).build();
    DeviceMemory end =
        recorded(device(trace, AllocatorFacts.NOT_RECORDED), OptionalLong.empty()).atEnd();
    assertThat(end.free()).isEqualTo(new Amount.Known(30 * MIB));
    assertThat(end.freeSource())
        .isEqualTo(
            "Free when the request at event 0 failed; the allocator has neither acquired nor"
                + " released memory since");
    assertThat(end.total()).isInstanceOf(Amount.AtLeast.class);
    assertThat(((Amount.AtLeast) end.total()).bytes()).isEqualTo(130 * MIB);
  }

  @Test
  void freeMemoryAtAFailureIsOutdatedAfterASegmentEvent() {
    Trace.Builder trace = failedWith(30);
    trace.add(TraceAction.SEGMENT_ALLOC, MIB, 100 * MIB);
    DeviceMemory end =
        recorded(device(trace.build(), AllocatorFacts.NOT_RECORDED), OptionalLong.empty()).atEnd();
    assertThat(end.free())
        .isEqualTo(
            new Amount.Unknown(
                "30 MiB was free when the request at event 0 failed; the allocator has acquired or"
                    + " released memory since"));
    assertThat(((Amount.AtLeast) end.total()).bytes()).isEqualTo(100 * MIB);
  }

  @Test
  void enteredSizeReplacesTheLowerBound() {
    DeviceSnapshot device = device(failedWith(30).build(), AllocatorFacts.NOT_RECORDED);
    DeviceMemory end = recorded(device, OptionalLong.of(200 * MIB)).atEnd();
    assertThat(end.total()).isEqualTo(new Amount.Known(200 * MIB));
  }

  @Test
  void hostedAllocatorKnowsItsDeviceAndItsRowsAddUp() {
    AllocatorFacts facts =
        new AllocatorFacts(
            AllocatorFamily.CACHING,
            OptionalLong.of(256 * MIB),
            OptionalLong.of(150 * MIB),
            OptionalLong.empty(),
            true);
    DeviceSnapshot device = device(Trace.EMPTY, facts);
    Ledger ledger =
        Ledger.of(
            AllocatorState.end(device),
            SizeRules.DEFAULT,
            recorded(device, OptionalLong.of(999 * MIB)).atEnd());
    assertThat(ledger.total()).isEqualTo(new Amount.Known(256 * MIB));
    assertThat(ledger.amount(Item.DEVICE_FREE)).isEqualTo(new Amount.Known(150 * MIB));
    assertThat(ledger.amount(Item.OUTSIDE_ALLOCATOR)).isEqualTo(new Amount.Known(6 * MIB));
    long sum = 0;
    for (Ledger.Row row : ledger.rows()) {
      sum += ((Amount.Known) row.amount()).bytes();
    }
    assertThat(sum).isEqualTo(256 * MIB);
  }

  @Test
  void failureHasItsOwnFreeMemory() {
    DeviceSnapshot device = device(failedWith(30).build(), AllocatorFacts.NOT_RECORDED);
    OomEvent oom = device.trace().ooms().getFirst();
    assertThat(recorded(device, OptionalLong.empty()).atFailure(oom).free())
        .isEqualTo(new Amount.Known(30 * MIB));
  }
}
