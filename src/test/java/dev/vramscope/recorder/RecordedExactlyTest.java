package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Applying the recorded trace gives exactly the captured state, for every kind of allocator. */
class RecordedExactlyTest {
  private static final long MIB = 1 << 20;
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Recorder recorder = new Recorder(InstantSource.fixed(NOON));
  private final RecordedAllocator gpu =
      recorder.attach(new CachingAllocator(SimDevice.ofBytes(256 * MIB), CachingOptions.of("")), 0);

  @TestFactory
  List<DynamicTest> traceMatchesStateForEveryKindOfAllocator() {
    Map<String, Allocator> kinds =
        Map.of(
            "caching", new CachingAllocator(SimDevice.ofBytes(256 * MIB), CachingOptions.of("")),
            "direct", new DirectAllocator(SimDevice.ofBytes(256 * MIB)),
            "bfc", bfc(SimDevice.ofBytes(256 * MIB)));
    List<DynamicTest> tests = new ArrayList<>();
    kinds.forEach(
        (name, allocator) ->
            tests.add(DynamicTest.dynamicTest(name, () -> assertTraceMatchesState(allocator))));
    return tests;
  }

  private static Allocator bfc(SimDevice device) {
    return BfcAllocator.forReplay(
        BfcOptions.of("GPU_0_bfc", 256 * MIB).withGrowing(true),
        new MemorySubAllocator(device.memory()));
  }

  private static void assertTraceMatchesState(Allocator allocator) {
    Recorder own = new Recorder(InstantSource.fixed(NOON));
    Allocator recorded = own.attach(allocator, 0);
    own.recordHistory(HistorySettings.all());
    List<Long> live = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      try (var _ = own.scope("step " + i % 10)) {
        live.add(recorded.allocate(1000L * i, 0));
        if (i % 3 == 0) {
          recorded.free(live.remove(i / 3));
        }
      }
    }
    Snapshot snapshot = own.snapshot();
    DeviceSnapshot now = snapshot.devices().getFirst();
    assertThat(liveAfter(now.trace())).isEqualTo(liveIn(now.segments())).hasSize(live.size());
    for (Segment segment : now.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() == BlockState.ALLOCATED) {
          long number = block.requestedBytes() / 1000;
          assertThat(names(snapshot, block.stack())).containsExactly("step " + number % 10);
        }
      }
    }
  }

  @Test
  void traceMatchesStateDuringConcurrentAllocations() {
    recorder.recordHistory(HistorySettings.all().withMaxEvents(10_000_000));
    try (var pool = Executors.newFixedThreadPool(2)) {
      for (int thread = 0; thread < 2; thread++) {
        long seed = thread;
        pool.execute(() -> churn(seed));
      }
      for (int round = 0; round < 20; round++) {
        Snapshot snapshot = recorder.snapshot();
        DeviceSnapshot now = snapshot.devices().getFirst();
        assertThat(liveAfter(now.trace())).isEqualTo(liveIn(now.segments()));
      }
    }
    DeviceSnapshot end = recorder.snapshot().devices().getFirst();
    assertThat(liveAfter(end.trace())).isEqualTo(liveIn(end.segments())).isEmpty();
  }

  private void churn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> live = new ArrayList<>();
    for (int step = 0; step < 30_000; step++) {
      try (var _ = recorder.scope("step")) {
        if (live.size() < 50 && random.nextBoolean()) {
          live.add(gpu.allocate(1 + random.nextInt(100_000), 0));
        } else if (!live.isEmpty()) {
          gpu.free(live.remove(random.nextInt(live.size())));
        }
      }
    }
    live.forEach(gpu::free);
  }

  /** The requested bytes of allocated blocks, by address, according to the trace. */
  private static Map<Long, Long> liveAfter(Trace trace) {
    Map<Long, Long> live = new HashMap<>();
    for (int event = 0; event < trace.size(); event++) {
      switch (trace.action(event)) {
        case ALLOC -> assertThat(live.put(trace.address(event), trace.bytes(event))).isNull();
        case FREE_REQUESTED ->
            assertThat(live.remove(trace.address(event))).isEqualTo(trace.bytes(event));
        default -> {}
      }
    }
    return live;
  }

  private static Map<Long, Long> liveIn(List<Segment> segments) {
    Map<Long, Long> live = new HashMap<>();
    for (Segment segment : segments) {
      for (Block block : segment.blocks()) {
        if (block.state() == BlockState.ALLOCATED) {
          live.put(block.address(), block.requestedBytes());
        }
      }
    }
    return live;
  }

  private static List<String> names(Snapshot snapshot, int stack) {
    return snapshot.stacks().framesOf(stack).stream().map(Frame::name).toList();
  }
}
