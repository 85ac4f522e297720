package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {
  @Test
  void newRowHasDefaults() {
    Trace.Builder builder = new Trace.Builder();
    int row = builder.add(TraceAction.ALLOC, 0x1000, 700);
    assertThat(builder.build().event(row))
        .isEqualTo(
            new TraceEvent(
                0, TraceAction.ALLOC, 0x1000, 700, 0, StackTable.NONE, Trace.NO_TIME, null));
  }

  @Test
  void rowsCanBeChangedInAnyOrder() {
    Trace.Builder builder = new Trace.Builder();
    int first = builder.add(TraceAction.OTHER, 0, 0);
    int second = builder.add(TraceAction.OTHER, 0, 0);
    builder.stream(second, 7);
    builder.stream(first, -1);
    builder.pool(second, new PoolId(0, 1));
    builder.pool(first, PoolId.DEFAULT);
    builder.stack(first, 5);
    builder.timeMicros(second, 99);
    builder.address(first, -4096);
    builder.bytes(first, 12);
    builder.action(first, TraceAction.SEGMENT_MAP);
    builder.userMetadata(first, "note");
    builder.compileContext(second, "region");
    builder.otherAction(second, "segment_split");
    assertThat(builder.action(first)).isEqualTo(TraceAction.SEGMENT_MAP);
    assertThat(builder.address(first)).isEqualTo(-4096);
    assertThat(builder.bytes(first)).isEqualTo(12);
    assertThat(builder.size()).isEqualTo(2);
    Trace trace = builder.build();
    assertThat(trace.event(first))
        .isEqualTo(
            new TraceEvent(
                0, TraceAction.SEGMENT_MAP, -4096, 12, -1, 5, Trace.NO_TIME, PoolId.DEFAULT));
    assertThat(trace.event(second))
        .isEqualTo(new TraceEvent(1, TraceAction.OTHER, 0, 0, 7, 0, 99, new PoolId(0, 1)));
    assertThat(trace.userMetadata().of(first)).isEqualTo("note");
    assertThat(trace.userMetadata().of(second)).isNull();
    assertThat(trace.compileContexts().of(second)).isEqualTo("region");
    assertThat(trace.otherActions().of(second)).isEqualTo("segment_split");
  }

  @Test
  void oomsAreInEventOrder() {
    Trace.Builder builder = new Trace.Builder();
    builder.add(TraceAction.OOM, 0, 5);
    builder.add(TraceAction.OOM, 0, 6);
    builder.oom(1, 6, OomEvent.UNKNOWN);
    builder.oom(0, 5, 100);
    assertThat(builder.build().ooms())
        .isEqualTo(List.of(new OomEvent(0, 5, 100), new OomEvent(1, 6, OomEvent.UNKNOWN)));
  }

  @Test
  void everyActionHasItsOwnCodeAndName() {
    for (TraceAction action : TraceAction.values()) {
      assertThat(TraceAction.ofCode(action.code())).isEqualTo(action);
      if (action != TraceAction.OTHER) {
        assertThat(TraceAction.ofTorchName(action.torchName())).isEqualTo(action);
      }
    }
    assertThat(TraceAction.ofTorchName("no_such_action")).isEqualTo(TraceAction.OTHER);
  }

  @Test
  void millionEventsTakeLessThan60MegabytesOfHeap() {
    Trace.Builder builder = new Trace.Builder();
    for (int i = 0; i < 1_000_000; i++) {
      builder.add(TraceAction.ALLOC, i, i);
    }
    assertThat(builder.build().heapBytes()).isLessThan(60_000_000L);
  }
}
