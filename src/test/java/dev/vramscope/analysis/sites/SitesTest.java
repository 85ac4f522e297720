package dev.vramscope.analysis.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.DeviceSites;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import org.junit.jupiter.api.Test;

class SitesTest {
  private static final Frame INNER = new Frame("at::empty()", "??", 0);
  private static final Frame MODEL = new Frame("forward", "/me/model.py", 42);
  private static final Frame FIRST = new Frame("main", "/me/first.py", 1);
  private static final Frame SECOND = new Frame("main", "/me/second.py", 2);

  @Test
  void groupsAllocationsByLineAndAddsUpToTheTotals() {
    StackTable.Builder stacks = new StackTable.Builder();
    Trace.Builder trace = new Trace.Builder();
    trace.stack(trace.add(TraceAction.ALLOC, 512, 100), stacks.stack(List.of(INNER, MODEL, FIRST)));
    trace.stack(
        trace.add(TraceAction.ALLOC, 1024, 300), stacks.stack(List.of(INNER, MODEL, SECOND)));
    trace.add(TraceAction.ALLOC, 1536, 50);
    trace.add(TraceAction.FREE_REQUESTED, 1024, 300);
    trace.add(TraceAction.FREE_COMPLETED, 1024, 300);
    Segment segment =
        new Segment(
            512,
            2048,
            0,
            PoolKind.SMALL,
            PoolId.DEFAULT,
            false,
            0,
            List.of(
                new Block(512, 512, 100, BlockState.ALLOCATED, 0),
                new Block(1024, 512, Block.UNKNOWN, BlockState.INACTIVE, 0),
                new Block(1536, 512, 50, BlockState.ALLOCATED, 0),
                new Block(2048, 512, 7, BlockState.ALLOCATED, 0)));
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(segment), trace.build(), List.of());
    ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
    Sites sites = DeviceSites.of(device, FrameRules.standard().classify(stacks.build()));
    assertThat(sites.rows()).hasSize(3);
    Sites.Row model = sites.rows().getFirst();
    assertThat(model.frame()).isEqualTo(MODEL);
    assertThat(model.kind()).isEqualTo(FrameKind.USER);
    assertThat(model.liveBytes()).isEqualTo(100);
    assertThat(model.peakBytes()).isEqualTo(400);
    assertThat(model.allocationCount()).isEqualTo(2);
    assertThat(model.totalBytes()).isEqualTo(400);
    assertThat(model.neverFreedBytes()).isEqualTo(100);
    Sites.Row recorded = sites.rows().get(1);
    assertThat(recorded.frame()).isNull();
    assertThat(recorded.beforeRecording()).isFalse();
    assertThat(recorded.liveBytes()).isEqualTo(50);
    Sites.Row before = sites.rows().get(2);
    assertThat(before.beforeRecording()).isTrue();
    assertThat(before.liveBytes()).isEqualTo(7);
    assertThat(before.neverFreedBytes()).as("not allocated at an event").isZero();
    assertThat(recorded.neverFreedBytes()).isEqualTo(50);
    assertThat(sites.liveBytes()).isEqualTo(active.atEnd());
    assertThat(sites.peakBytes()).isEqualTo(active.peakBytes());
  }
}
