package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final long MIB = 1 << 20;
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final SimDevice device = SimDevice.ofBytes(256 * MIB);
  private final CachingAllocator caching =
      new CachingAllocator(device, CachingOptions.of("roundup_power2_divisions:[1:4,2:0]"));

  /** Advances by 1 µs with each reading. */
  private final AtomicLong nanos = new AtomicLong();

  private final Recorder recorder =
      new Recorder(InstantSource.fixed(NOON), () -> nanos.addAndGet(1_000));
  private final RecordedAllocator gpu = recorder.attach(caching, 0);

  @Test
  void recordsNoEventsWhenOff() {
    gpu.allocate(100, 0);

    assertThat(trace().size()).isZero();
    assertThat(recorder.cost().eventCount()).isZero();
  }

  @Test
  void eventsAreInOrder() {
    recorder.recordHistory(HistorySettings.all());

    gpu.free(gpu.allocate(1000, 3));

    Trace trace = trace();
    assertThat(actions(trace))
        .containsExactly(
            TraceAction.SEGMENT_ALLOC,
            TraceAction.ALLOC,
            TraceAction.FREE_REQUESTED,
            TraceAction.FREE_COMPLETED);
    assertThat(trace.bytes(0)).isEqualTo(2 * MIB);
    assertThat(trace.bytes(1)).isEqualTo(1000);
    assertThat(trace.stream(1)).isEqualTo(3);
    assertThat(trace.address(3)).isEqualTo(trace.address(1));
    assertThat(trace.pool(1)).isEqualTo(PoolId.DEFAULT);
  }

  @Test
  void timesFollowTheClockAndNeverDecrease() {
    recorder.recordHistory(HistorySettings.all());
    for (int i = 0; i < 100; i++) {
      gpu.free(gpu.allocate(512, 0));
    }

    Trace trace = trace();
    long begin = NOON.toEpochMilli() * 1000;
    for (int event = 0; event < trace.size(); event++) {
      assertThat(trace.timeMicros(event))
          .isBetween(begin, begin + nanos.get() / 1000)
          .isGreaterThanOrEqualTo(event == 0 ? begin : trace.timeMicros(event - 1));
    }
  }

  @Test
  void failedRequestIsAnEventWithTheFreeBytes() {
    recorder.recordHistory(HistorySettings.all());
    gpu.allocate(200 * MIB, 0);

    assertThatThrownBy(() -> gpu.allocate(100 * MIB, 0))
        .isInstanceOf(OutOfDeviceMemoryException.class);

    Trace trace = trace();
    assertThat(trace.ooms()).containsExactly(new OomEvent(trace.size() - 1, 100 * MIB, 56 * MIB));
  }

  @Test
  void blocksAndSegmentsHaveTheirAllocationContext() {
    recorder.recordHistory(HistorySettings.all());
    try (var _ = recorder.scope("forward");
        var _ = recorder.scope("layer 3")) {
      gpu.allocate(4 * MIB, 0);
    }
    gpu.allocate(3 * MIB, 0);

    Snapshot snapshot = recorder.snapshot();
    Segment segment = snapshot.devices().getFirst().segments().getFirst();
    assertThat(names(snapshot, segment.stack())).containsExactly("layer 3", "forward");
    assertThat(names(snapshot, segment.blocks().get(0).stack()))
        .containsExactly("layer 3", "forward");
    assertThat(names(snapshot, segment.blocks().get(1).stack())).isEmpty();
  }

  @Test
  void stateModeKeepsContextsWithoutEvents() {
    recorder.recordHistory(HistorySettings.all().with(Recording.STATE));
    try (var _ = recorder.scope("weights")) {
      gpu.allocate(4 * MIB, 0);
    }

    Snapshot snapshot = recorder.snapshot();
    assertThat(snapshot.devices().getFirst().trace().size()).isZero();
    Block block = snapshot.devices().getFirst().segments().getFirst().blocks().getFirst();
    assertThat(names(snapshot, block.stack())).containsExactly("weights");
  }

  @Test
  void onlyBlocksAllocatedWhileRecordingHaveAContext() {
    long before;
    try (var _ = recorder.scope("before")) {
      before = gpu.allocate(4 * MIB, 0);
    }
    recorder.recordHistory(HistorySettings.all());
    assertThat(firstBlockNames()).isEmpty();

    gpu.free(before);
    try (var _ = recorder.scope("now")) {
      before = gpu.allocate(4 * MIB, 0);
    }
    assertThat(firstBlockNames()).containsExactly("now");

    gpu.free(before);
    gpu.allocate(4 * MIB, 0);
    assertThat(firstBlockNames()).isEmpty();
  }

  @Test
  void freeEventsHaveTheAllocationContextUnlessFreesAreRecorded() {
    recorder.recordHistory(HistorySettings.all());
    assertThat(freeContext()).containsExactly("forward");

    recorder.recordHistory(HistorySettings.all().withMoment(ContextMoment.ALL));
    assertThat(freeContext()).containsExactly("backward");
  }

  private List<String> freeContext() {
    long block;
    try (var _ = recorder.scope("forward")) {
      block = gpu.allocate(1000, 0);
    }
    try (var _ = recorder.scope("backward")) {
      gpu.free(block);
    }
    Snapshot snapshot = recorder.snapshot();
    Trace trace = snapshot.devices().getFirst().trace();
    int last = trace.size() - 1;
    assertThat(trace.action(last)).isEqualTo(TraceAction.FREE_COMPLETED);
    assertThat(trace.stack(last - 1)).isEqualTo(trace.stack(last));
    return names(snapshot, trace.stack(last));
  }

  @Test
  void pendingFreeHasItsOwnCompletionTime() {
    recorder.recordHistory(HistorySettings.all());
    int other = device.streams().create();
    long waiting = gpu.allocate(4 * MIB, 0);
    gpu.recordStream(waiting, other);
    gpu.free(waiting);
    nanos.addAndGet(2_000_000);
    device.streams().synchronizeAll();
    gpu.free(gpu.allocate(512, 0));

    Trace trace = trace();
    List<TraceAction> actions = actions(trace);
    int requested = actions.indexOf(TraceAction.FREE_REQUESTED);
    int completed = actions.indexOf(TraceAction.FREE_COMPLETED);
    assertThat(completed).isEqualTo(requested + 1);
    assertThat(trace.timeMicros(completed) - trace.timeMicros(requested)).isGreaterThan(1000);
    int last = trace.size() - 1;
    assertThat(actions.get(last)).isEqualTo(TraceAction.FREE_COMPLETED);
    assertThat(trace.timeMicros(last)).isEqualTo(trace.timeMicros(last - 1));
  }

  @Test
  void pendingFreeKeepsItsContext() {
    recorder.recordHistory(HistorySettings.all());
    int other = device.streams().create();
    long block;
    try (var _ = recorder.scope("forward")) {
      block = gpu.allocate(4 * MIB, 0);
    }
    gpu.recordStream(block, other);
    gpu.free(block);

    Snapshot waiting = recorder.snapshot();
    Block pending = waiting.devices().getFirst().segments().getFirst().blocks().getFirst();
    assertThat(pending.state()).isEqualTo(BlockState.PENDING_FREE);
    assertThat(names(waiting, pending.stack())).containsExactly("forward");

    device.streams().synchronizeAll();
    try (var _ = recorder.scope("later")) {
      gpu.allocate(512, 0);
    }
    Snapshot after = recorder.snapshot();
    Trace trace = after.devices().getFirst().trace();
    int completed = actions(trace).indexOf(TraceAction.FREE_COMPLETED);
    assertThat(names(after, trace.stack(completed))).containsExactly("forward");
  }

  @Test
  void stacksStartWithTheCallerOfTheAllocator() {
    recorder.recordHistory(HistorySettings.all().withContexts(ContextKind.BOTH, 1));
    try (var _ = recorder.scope("forward")) {
      gpu.allocate(1000, 0);
    }

    List<String> names = firstBlockNames();
    assertThat(names.getFirst())
        .isEqualTo(RecorderTest.class.getName() + ".stacksStartWithTheCallerOfTheAllocator");
    assertThat(names.getLast()).isEqualTo("forward");
    assertThat(recorder.cost().stackCount()).isEqualTo(1);
    assertThat(recorder.cost().stackNanos()).isPositive();
  }

  @Test
  void oneInNRequestsHasAStack() {
    recorder.recordHistory(HistorySettings.all().withContexts(ContextKind.STACKS, 4));
    for (int i = 0; i < 40; i++) {
      gpu.allocate(512, 0);
    }

    Trace trace = trace();
    long withStack =
        IntStream.range(0, trace.size())
            .filter(event -> trace.action(event) == TraceAction.ALLOC && trace.stack(event) != 0)
            .count();
    assertThat(withStack).isEqualTo(10);
  }

  @Test
  void fullHistoryOverwritesOldEventsAndReportsIt() {
    recorder.recordHistory(HistorySettings.all().withMaxEvents(10));
    for (int i = 0; i < 10; i++) {
      gpu.free(gpu.allocate(512, 0));
    }

    Snapshot snapshot = recorder.snapshot();
    assertThat(snapshot.devices().getFirst().trace().size()).isEqualTo(10);
    assertThat(snapshot.findings())
        .extracting(Finding::code, Finding::count)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("ring-wrapped", 21L));
    assertThat(snapshot.findings().getFirst().message())
        .contains(
            "contains "
                + snapshot.devices().getFirst().trace().size()
                + " events; 21 older events were overwritten");
    assertThat(recorder.cost().overwrittenCount()).isEqualTo(21);
  }

  @Test
  void clearingDiscardsEventsAndKeepsContexts() {
    recorder.recordHistory(HistorySettings.all());
    try (var _ = recorder.scope("weights")) {
      gpu.allocate(1000, 0);
    }
    recorder.clearHistory();

    assertThat(trace().size()).isZero();
    assertThat(firstBlockNames()).containsExactly("weights");
  }

  @Test
  void droppedContextsAreAFinding() {
    Recorder small = new Recorder(InstantSource.fixed(NOON), System::nanoTime, 3, 100);
    Allocator recorded = small.attach(new DirectAllocator(SimDevice.ofBytes(64 * MIB)), 1);
    small.recordHistory(HistorySettings.all());
    for (int i = 0; i < 5; i++) {
      try (var _ = small.scope("s" + i)) {
        recorded.allocate(1000, 0);
      }
    }

    assertThat(small.snapshot().findings())
        .extracting(Finding::code)
        .containsExactly("contexts-dropped");
  }

  @Test
  void annotationIsAnEventWithItsText() {
    recorder.recordHistory(HistorySettings.all());
    long block = gpu.allocate(1000, 0);
    caching.annotate(block, "kv cache");

    Trace trace = trace();
    int last = trace.size() - 1;
    assertThat(trace.action(last)).isEqualTo(TraceAction.ANNOTATE);
    assertThat(trace.userMetadata().of(last)).isEqualTo("kv cache");
  }

  @Test
  void eventsOfPrivatePoolsHaveThePoolId() {
    recorder.recordHistory(HistorySettings.all());
    var pool = new PoolId(0, 7);
    caching.memoryPools().beginAllocate(pool, _ -> true);
    gpu.allocate(1000, 0);
    caching.memoryPools().endAllocate(pool);

    Trace trace = trace();
    assertThat(trace.pool(trace.size() - 1)).isEqualTo(pool);
    assertThat(recorder.snapshot().devices().getFirst().segments().getFirst().pool())
        .isEqualTo(new PoolId(0, 7));
  }

  @Test
  void snapshotContainsTheAllocatorSettings() {
    assertThat(recorder.snapshot().settings().orElseThrow().values())
        .containsEntry("PYTORCH_CUDA_ALLOC_CONF", "roundup_power2_divisions:[1:4,2:0]")
        .containsEntry("max_split_size", "-1")
        .containsEntry("expandable_segments", "false")
        .containsEntry("roundup_power2_divisions.1", "4")
        .containsEntry("roundup_power2_divisions.2", "0");
  }

  @Test
  void recordingAllocatesNoMemory() {
    recorder.recordHistory(HistorySettings.all().withMaxEvents(1000));
    pairs(5000);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    pairs(50_000);
    long after = threads.getCurrentThreadAllocatedBytes();

    // 150,000 events; reading the counter allocates a little.
    assertThat(after - before).isLessThan(4096);
  }

  private void pairs(int count) {
    for (int i = 0; i < count; i++) {
      try (var _ = recorder.scope("step")) {
        gpu.free(gpu.allocate(64 << 10, 0));
      }
    }
  }

  @Test
  void rejectsASecondAllocatorOnADevice() {
    assertThatThrownBy(() -> recorder.attach(caching, 0))
        .hasMessageContaining("Device 0 has an allocator already");
  }

  @Test
  void detachedAllocatorIsNotRecorded() {
    recorder.recordHistory(HistorySettings.all());
    recorder.detach(gpu);
    caching.allocate(1000, 0);

    assertThat(recorder.snapshot().devices()).isEmpty();
    assertThat(gpu.history().ring().written()).isZero();
  }

  @Test
  void buildsASnapshotWithoutARecorder() {
    gpu.allocate(1000, 0);

    Snapshot snapshot = SnapshotBuilder.of(caching, 5, NOON);

    assertThat(snapshot.origin().captureMicros()).isEqualTo(NOON.toEpochMilli() * 1000);
    Segment segment = snapshot.device(5).orElseThrow().segments().getFirst();
    assertThat(segment.allocatedBytes()).isEqualTo(1024);
    assertThat(segment.blocks().getFirst().requestedBytes()).isEqualTo(1000);
    assertThat(segment.blocks().getLast().requestedBytes()).isEqualTo(Block.UNKNOWN);
  }

  private Trace trace() {
    return recorder.snapshot().devices().getFirst().trace();
  }

  private List<String> firstBlockNames() {
    Snapshot snapshot = recorder.snapshot();
    return names(
        snapshot, snapshot.devices().getFirst().segments().getFirst().blocks().getFirst().stack());
  }

  private static List<TraceAction> actions(Trace trace) {
    return IntStream.range(0, trace.size()).mapToObj(trace::action).toList();
  }

  private static List<String> names(Snapshot snapshot, int stack) {
    return snapshot.stacks().framesOf(stack).stream().map(Frame::name).toList();
  }
}
