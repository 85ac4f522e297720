package dev.vramscope.analysis.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentationTest {
  @Test
  void poolsCoverEverySegmentOnceAndOverheadIsAtLeastOne() {
    for (long seed = 0; seed < 20; seed++) {
      HistoryModel model = HistoryModel.of(seed, 200);
      DeviceSnapshot device = model.recordedFrom(50);
      Lifetimes lifetimes = Lifetimes.of(device);
      Fragmentation found =
          Fragmentation.of(
              AllocatorState.end(device),
              lifetimes,
              ActiveBytes.of(device, lifetimes),
              SizeRules.DEFAULT,
              AllocatorFamily.CACHING);
      assertThat(found.pools().stream().mapToLong(Fragmentation.Pool::reservedBytes).sum())
          .isEqualTo(model.reservedBytes(model.eventCount() - 1));
      for (Fragmentation.Pool pool : found.pools()) {
        assertThat(pool.allocatedBytes() + pool.pendingFreeBytes() + pool.freeBytes())
            .isEqualTo(pool.reservedBytes());
        assertThat(pool.external().isPresent()).isEqualTo(pool.freeBytes() > 0);
        pool.external()
            .ifPresent(
                external ->
                    assertThat(external)
                        .isCloseTo(
                            1
                                - (double) Math.max(pool.largestFreeBytes(), pool.releasableBytes())
                                    / pool.freeBytes(),
                            within(1e-12)));
      }
      assertThat(found.overhead().orElseThrow()).as("seed %d", seed).isGreaterThanOrEqualTo(1);
      long peakAllocated = 0;
      for (int event = 49; event < model.eventCount(); event++) {
        peakAllocated =
            Math.max(
                peakAllocated,
                model.state(event).stream().mapToLong(Segment::allocatedBytes).sum());
      }
      assertThat(found.peakAllocatedBytes()).as("a lower bound").isLessThanOrEqualTo(peakAllocated);
      assertThat(found.peakAllocatedBytes()).isGreaterThan(peakAllocated * 9 / 10);
    }
  }

  @Test
  void releasableSegmentsAreNotFragmented() {
    long mib = 1 << 20;
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      long address = (i + 1) * 100 * mib;
      segments.add(segment(address, List.of(new Block(address, 20 * mib, -1, FREE, 0))));
    }
    long last = 2000 * mib;
    segments.add(
        segment(
            last,
            List.of(
                new Block(last, 10 * mib, 10 * mib, BlockState.ALLOCATED, 0),
                new Block(last + 10 * mib, 10 * mib, -1, FREE, 0))));
    DeviceSnapshot device = new DeviceSnapshot(0, segments, Trace.EMPTY, List.of());
    Fragmentation.Pool pool = of(device, AllocatorFamily.CACHING).pools().getFirst();
    assertThat(pool.releasableBytes()).isEqualTo(200 * mib);
    assertThat(pool.external()).hasValue(1 - 200.0 / 210);
    assertThat(of(device, AllocatorFamily.BFC).pools().getFirst().external())
        .hasValue(1 - 20.0 / 210);
  }

  @Test
  void peakOfAnotherAllocatorIsALowerBoundWithoutPyTorchsRounding() {
    Trace.Builder trace = new Trace.Builder();
    for (TraceAction action :
        List.of(TraceAction.ALLOC, TraceAction.FREE_REQUESTED, TraceAction.FREE_COMPLETED)) {
      trace.add(action, 4096, 700);
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    assertThat(of(device, AllocatorFamily.CACHING).peakAllocatedBytes()).isEqualTo(1024);
    // BFC rounds to 256 bytes.
    assertThat(of(device, AllocatorFamily.BFC).peakAllocatedBytes()).isEqualTo(700);
  }

  @Test
  void stateWithoutTraceHasNoPeaks() {
    List<Segment> segments =
        List.of(segment(4096, List.of(new Block(4096, 512, 512, BlockState.ALLOCATED, 0))));
    DeviceSnapshot device = new DeviceSnapshot(0, segments, Trace.EMPTY, List.of());
    assertThat(of(device, AllocatorFamily.CACHING).overhead()).isEmpty();
  }

  private static final BlockState FREE = BlockState.INACTIVE;

  private static Segment segment(long address, List<Block> blocks) {
    long bytes = blocks.stream().mapToLong(Block::bytes).sum();
    return new Segment(
        address, bytes, 0, PoolKind.LARGE, PoolId.DEFAULT, false, StackTable.NONE, blocks);
  }

  private static Fragmentation of(DeviceSnapshot device, AllocatorFamily family) {
    Lifetimes lifetimes = Lifetimes.of(device);
    return Fragmentation.of(
        AllocatorState.end(device),
        lifetimes,
        ActiveBytes.of(device, lifetimes),
        SizeRules.DEFAULT,
        family);
  }
}
