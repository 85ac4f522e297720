package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocatorStateTest {
  private static final long PAGE = 20L << 20;

  @Test
  void statesEqualThoseOfTheModelExceptForAmbiguousBytes() {
    int exact = 0;
    int states = 0;
    for (long seed = 200; seed < 230; seed++) {
      HistoryModel model = HistoryModel.of(seed, 200);
      int from = (int) (seed * 31 % model.eventCount());
      DeviceSnapshot device = model.recordedFrom(from);
      Lifetimes lifetimes = Lifetimes.of(device);
      for (int event = -1; event < device.trace().size(); event++) {
        AllocatorState found = AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, event);
        List<Segment> expected = model.state(from + event);
        String description = "seed %d from %d event %d".formatted(seed, from, event);
        assertThat(found.findings()).as(description).isEmpty();
        checkTiles(found, description);
        states++;
        if (found.estimatedBlockCount() == 0) {
          exact++;
          assertThat(found.segments()).as(description).isEqualTo(expected);
        } else {
          long difference = freeBytes(found.segments()) - freeBytes(expected);
          assertThat(difference).as(description).isBetween(0L, found.ambiguousBytes());
        }
      }
    }
    assertThat(exact).as("exact states of %d", states).isGreaterThan(states / 10);
  }

  private static void checkTiles(AllocatorState state, String description) {
    for (Segment segment : state.segments()) {
      long cursor = segment.address();
      boolean wasFree = false;
      for (Block block : segment.blocks()) {
        assertThat(block.address()).as(description).isEqualTo(cursor);
        boolean isFree = block.state() == BlockState.INACTIVE;
        assertThat(isFree && wasFree)
            .as(description + ": adjacent free blocks are coalesced")
            .isFalse();
        wasFree = isFree;
        cursor = block.end();
      }
      assertThat(cursor).as(description).isEqualTo(segment.end());
    }
  }

  private static long freeBytes(List<Segment> segments) {
    return segments.stream().mapToLong(Segment::inactiveBytes).sum();
  }

  private static Segment run(long address, long bytes, Block... blocks) {
    return new Segment(address, bytes, 0, PoolKind.LARGE, PoolId.DEFAULT, true, 0, List.of(blocks));
  }

  private static Block free(long address, long bytes) {
    return new Block(address, bytes, Block.UNKNOWN, BlockState.INACTIVE, 0);
  }

  @Test
  void mapsAndUnmapsAreUndone() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.SEGMENT_MAP, 0, PAGE);
    trace.add(TraceAction.SEGMENT_MAP, PAGE, 2 * PAGE);
    trace.add(TraceAction.SEGMENT_UNMAP, PAGE, PAGE); // leaves a hole
    DeviceSnapshot device =
        new DeviceSnapshot(
            0,
            List.of(run(0, PAGE, free(0, PAGE)), run(2 * PAGE, PAGE, free(2 * PAGE, PAGE))),
            trace.build(),
            List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    assertThat(AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, 2).segments())
        .isEqualTo(device.segments());
    assertThat(AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, 1).segments())
        .containsExactly(run(0, 3 * PAGE, free(0, 3 * PAGE)));
    assertThat(AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, 0).segments())
        .containsExactly(run(0, PAGE, free(0, PAGE)));
    assertThat(AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, -1).segments()).isEmpty();
  }

  @Test
  void mismatchedSegmentEventIsAFinding() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.SNAPSHOT, 0, 0);
    trace.add(TraceAction.SEGMENT_ALLOC, 0, PAGE);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    AllocatorState found = AllocatorState.at(device, Lifetimes.of(device), SizeRules.DEFAULT, 0);
    assertThat(found.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.code()).isEqualTo("segment-event-mismatch"));
  }

  @Test
  void allocationOutsideEverySegmentIsAFinding() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.ALLOC, 512, 100);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    AllocatorState found = AllocatorState.at(device, Lifetimes.of(device), SizeRules.DEFAULT, 0);
    assertThat(found.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.code()).isEqualTo("block-outside-segment"));
  }

  @Test
  void rejectsAnEventBeyondTheTrace() {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    assertThatThrownBy(() -> AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
