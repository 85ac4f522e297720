package dev.vramscope.analysis.lifetimes;

import static dev.vramscope.analysis.lifetimes.Lifetimes.BEFORE_RECORDING;
import static dev.vramscope.analysis.lifetimes.Lifetimes.NEVER;
import static dev.vramscope.model.TraceAction.ALLOC;
import static dev.vramscope.model.TraceAction.FREE_COMPLETED;
import static dev.vramscope.model.TraceAction.FREE_REQUESTED;
import static dev.vramscope.model.TraceAction.SEGMENT_ALLOC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LifetimesTest {
  private final Trace.Builder trace = new Trace.Builder();

  private static Block block(long address, long bytes, long requested, BlockState state) {
    return new Block(address, bytes, requested, state, 0);
  }

  private static Segment segment(Block... blocks) {
    List<Block> list = List.of(blocks);
    return new Segment(
        list.getFirst().address(),
        list.stream().mapToLong(Block::bytes).sum(),
        0,
        PoolKind.SMALL,
        new PoolId(0, 1),
        false,
        0,
        list);
  }

  private Lifetimes lifetimes(Segment... segments) {
    return Lifetimes.of(new DeviceSnapshot(0, List.of(segments), trace.build(), List.of()));
  }

  @Test
  void reusedAddressIsTwoAllocations() {
    trace.add(ALLOC, 512, 100);
    trace.add(FREE_REQUESTED, 512, 100);
    trace.add(FREE_COMPLETED, 512, 100);
    trace.add(ALLOC, 512, 200);
    Lifetimes found = lifetimes(segment(block(512, 512, 200, BlockState.ALLOCATED)));
    assertThat(found.size()).isEqualTo(2);
    assertThat(found.allocationEvent(0)).isZero();
    assertThat(found.freeRequestedEvent(0)).isEqualTo(1);
    assertThat(found.freeCompletedEvent(0)).isEqualTo(2);
    assertThat(found.requestedBytes(1)).isEqualTo(200);
    assertThat(found.endEvent(1)).isEqualTo(NEVER);
    assertThat(found.allocatedBytes(0)).isEqualTo(Lifetimes.UNKNOWN);
    assertThat(found.allocatedBytes(1)).isEqualTo(512);
    assertThat(found.pool(1)).isEqualTo(new PoolId(0, 1));
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void blockWithoutEventsIsLiveThroughout() {
    Lifetimes found = lifetimes(segment(block(512, 1024, 700, BlockState.ALLOCATED)));
    assertThat(found.liveBeforeCount()).isEqualTo(1);
    assertThat(found.allocationEvent(0)).isEqualTo(BEFORE_RECORDING);
    assertThat(found.endEvent(0)).isEqualTo(NEVER);
    assertThat(found.bytes(0)).isEqualTo(700);
  }

  @Test
  void freeWithoutAllocationEventBelongsToAnEarlierAllocation() {
    trace.add(FREE_REQUESTED, 512, 300);
    trace.add(FREE_COMPLETED, 512, 300);
    trace.add(ALLOC, 512, 400);
    Lifetimes found = lifetimes(segment(block(512, 512, 400, BlockState.ALLOCATED)));
    assertThat(found.liveBeforeCount()).isEqualTo(1);
    assertThat(found.bytes(0)).isEqualTo(300);
    assertThat(found.isPendingAt(0, 0)).isTrue();
    assertThat(found.isActiveAt(0, 1)).isFalse();
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void longestLivedEarlierAllocationIsFirst() {
    trace.add(FREE_COMPLETED, 1024, 1);
    trace.add(FREE_COMPLETED, 512, 2);
    Lifetimes found =
        lifetimes(
            segment(
                block(512, 1024, Block.UNKNOWN, BlockState.INACTIVE),
                block(1536, 512, 3, BlockState.ALLOCATED)));
    assertThat(List.of(found.bytes(0), found.bytes(1), found.bytes(2))).containsExactly(3L, 2L, 1L);
  }

  @Test
  void blockThatWaitsForAStreamIsActiveAndPending() {
    trace.add(ALLOC, 512, 100);
    trace.add(FREE_REQUESTED, 512, 100);
    trace.add(ALLOC, 1024, 100);
    trace.add(FREE_REQUESTED, 1024, 100);
    trace.add(FREE_COMPLETED, 1024, 100);
    Lifetimes found =
        lifetimes(
            segment(
                block(512, 512, 100, BlockState.PENDING_FREE),
                block(1024, 512, Block.UNKNOWN, BlockState.INACTIVE)));
    assertThat(found.isPendingAt(0, 4)).isTrue();
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void requestedFreeEndsALifetimeIfCompletionsAreNotRecorded() {
    trace.add(ALLOC, 512, 100);
    trace.add(FREE_REQUESTED, 512, 100);
    trace.add(ALLOC, 1024, 50);
    trace.add(FREE_REQUESTED, 1024, 50);
    Lifetimes found =
        lifetimes(
            segment(
                block(512, 512, Block.UNKNOWN, BlockState.INACTIVE),
                block(1024, 512, 50, BlockState.PENDING_FREE)));
    assertThat(found.endEvent(0)).isEqualTo(1);
    assertThat(found.freeCompletedEvent(0)).isEqualTo(NEVER);
    assertThat(found.endEvent(1)).as("its block is still pending").isEqualTo(NEVER);
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void completedFreeEndsALifetimeIfRequestsAreNotRecorded() {
    trace.add(ALLOC, 512, 100);
    trace.add(FREE_COMPLETED, 512, 100);
    Lifetimes found = lifetimes();
    assertThat(found.freeRequestedEvent(0)).isEqualTo(NEVER);
    assertThat(found.endEvent(0)).isEqualTo(1);
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void countsContradictionsInTheTrace() {
    trace.add(SEGMENT_ALLOC, 512, 4096);
    trace.add(FREE_REQUESTED, 1024, 9); // cannot be from before the recording: the segment is new
    trace.add(FREE_COMPLETED, 1024, 9);
    trace.add(ALLOC, 512, 100);
    trace.add(ALLOC, 512, 200); // over a live one
    trace.add(FREE_REQUESTED, 512, 200);
    trace.add(FREE_REQUESTED, 512, 200);
    trace.add(FREE_COMPLETED, 512, 200);
    Lifetimes found = lifetimes(segment(block(512, 4096, Block.UNKNOWN, BlockState.INACTIVE)));
    assertThat(counts(found))
        .isEqualTo(
            Map.of("allocated-while-live", 1L, "free-without-allocation", 2L, "freed-twice", 1L));
    assertThat(found.size()).isEqualTo(2);
    assertThat(found.endEvent(0)).isEqualTo(4);
  }

  @Test
  void countsContradictionsOfTheFinalState() {
    trace.add(ALLOC, 512, 100); // not in the final state, never freed
    trace.add(ALLOC, 1024, 100);
    trace.add(FREE_REQUESTED, 1024, 100);
    trace.add(FREE_COMPLETED, 1024, 100); // but active in the final state
    trace.add(ALLOC, 1536, 100); // different size in the final state
    Lifetimes found =
        lifetimes(
            segment(
                block(512, 512, Block.UNKNOWN, BlockState.INACTIVE),
                block(1024, 512, 100, BlockState.ALLOCATED),
                block(1536, 512, 101, BlockState.ALLOCATED)));
    assertThat(counts(found))
        .isEqualTo(
            Map.of("missing-in-final-state", 1L, "active-though-freed", 1L, "size-differs", 1L));
  }

  @Test
  void blockWithoutRequestedSizeCountsWithItsRoundedSize() {
    Lifetimes found = lifetimes(segment(block(512, 1024, Block.UNKNOWN, BlockState.ALLOCATED)));
    assertThat(found.requestedBytes(0)).isEqualTo(Lifetimes.UNKNOWN);
    assertThat(found.bytes(0)).isEqualTo(1024);
  }

  @Test
  void addressesAreUnsigned() {
    long high = 0xffff_ffff_ffff_f000L;
    trace.add(SEGMENT_ALLOC, high - 4096, 4096);
    trace.add(FREE_REQUESTED, high - 512, 1);
    trace.add(FREE_REQUESTED, high, 2);
    Lifetimes found = lifetimes();
    assertThat(counts(found)).isEqualTo(Map.of("free-without-allocation", 1L));
    assertThat(found.address(0)).isEqualTo(high);
  }

  @Test
  void recordingMayStartAtAnyEvent() {
    for (long seed = 0; seed < 60; seed++) {
      HistoryModel model = HistoryModel.of(seed, 150);
      int from = (int) (seed * 7 % model.eventCount());
      DeviceSnapshot device = model.recordedFrom(from);
      Lifetimes found = Lifetimes.of(device);
      assertThat(found.findings()).as("seed %d", seed).isEmpty();
      for (int event = -1; event < device.trace().size(); event++) {
        long active = 0;
        long pending = 0;
        for (int row = 0; row < found.size(); row++) {
          active += found.isActiveAt(row, event) ? found.bytes(row) : 0;
          pending += found.isPendingAt(row, event) ? found.bytes(row) : 0;
        }
        long expectedPending =
            model.state(from + event).stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(block -> block.state() == BlockState.PENDING_FREE)
                .mapToLong(Block::requestedBytes)
                .sum();
        assertThat(active)
            .as("seed %d, active after event %d of a recording from %d", seed, event, from)
            .isEqualTo(model.activeBytes(from + event));
        if (!recordsRequests(device.trace())) {
          continue; // the event of the free request is unknown
        }
        assertThat(pending)
            .as("seed %d, pending after event %d of a recording from %d", seed, event, from)
            .isEqualTo(expectedPending);
      }
    }
  }

  @Test
  void rowsAreInOrderOfAllocation() {
    HistoryModel model = HistoryModel.of(5, 400);
    Lifetimes found = Lifetimes.of(model.recordedFrom(100));
    for (int row = 1; row < found.size(); row++) {
      assertThat(found.allocationEvent(row)).isGreaterThanOrEqualTo(found.allocationEvent(row - 1));
      if (found.allocationEvent(row) >= 0) {
        assertThat(found.firstAllocatedFrom(found.allocationEvent(row))).isEqualTo(row);
      }
    }
    assertThat(found.firstAllocatedFrom(NEVER)).isEqualTo(found.size());
  }

  private static boolean recordsRequests(Trace trace) {
    return IntStream.range(0, trace.size()).anyMatch(i -> trace.action(i) == FREE_REQUESTED);
  }

  private static Map<String, Long> counts(Lifetimes found) {
    Map<String, Long> counts = new HashMap<>();
    for (Finding finding : found.findings()) {
      counts.put(finding.code(), finding.count());
    }
    return counts;
  }
}
