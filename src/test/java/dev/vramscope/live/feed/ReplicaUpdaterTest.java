package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The replica and its frames against the allocator itself. */
class ReplicaUpdaterTest {
  private static final long MIB = 1 << 20;
  private static final int STREAMS = 3;

  private final SimDevice device = SimDevice.ofBytes(512 * MIB);
  private final Recorder recorder = new Recorder(InstantSource.system());

  /** An allocator, somebody who follows it, and screens that look at different paces. */
  private final class Stage {
    final RecordedAllocator gpu;
    final ReplicaUpdater updater;
    final Curve curve = new Curve();
    final FrameWriter writer;
    final DeviceMeter meter = new DeviceMeter(device);
    long millis;

    Stage(Allocator allocator) {
      gpu = recorder.attach(allocator, 0);
      recorder.recordHistory(HistorySettings.all());
      updater = new ReplicaUpdater(gpu, recorder);
      writer = new FrameWriter(updater, curve);
      updater.listen();
      follow();
    }

    void follow() {
      updater.follow(millis++);
      curve.add(updater.point(millis));
    }

    CurvePoint lastPoint() {
      return curve.since(version() - 1).getFirst();
    }

    byte[] frame(long since) {
      return writer.frame(since, millis, meter, new HostedState.Open());
    }

    long version() {
      return updater.replica().version();
    }
  }

  /** Some operation. */
  private static void operate(
      Allocator gpu, SimDevice card, List<Long> held, SplittableRandom random) {
    int dice = random.nextInt(100);
    if (dice < 50 || held.isEmpty()) {
      long bytes = 1 + (random.nextInt(4) == 0 ? random.nextLong(30 * MIB) : random.nextLong(MIB));
      try {
        held.add(gpu.allocate(bytes, random.nextInt(STREAMS)));
      } catch (OutOfDeviceMemoryException full) {
        held.subList(0, held.size() / 2).forEach(gpu::free);
        held.subList(0, held.size() / 2).clear();
      }
    } else if (dice < 60) {
      gpu.recordStream(held.get(random.nextInt(held.size())), random.nextInt(STREAMS));
    } else if (dice < 97) {
      gpu.free(held.remove(random.nextInt(held.size())));
    } else if (dice < 99) {
      card.streams().synchronize(random.nextInt(STREAMS));
    } else {
      gpu.emptyCache();
    }
  }

  @TestFactory
  List<DynamicTest> theFramesShowWhatTheAllocatorHolds() {
    List<DynamicTest> tests = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      long each = seed;
      tests.add(shows("caching", each, card -> new CachingAllocator(card, CachingOptions.of(""))));
      tests.add(
          shows(
              "expandable",
              each,
              card -> new CachingAllocator(card, CachingOptions.of("expandable_segments:True"))));
      tests.add(shows("direct", each, DirectAllocator::new));
      tests.add(
          shows(
              "bfc",
              each,
              card ->
                  BfcAllocator.forReplay(
                      new BfcOptions("GPU_0_bfc", 400 * MIB, true, false, true, 0, false),
                      new MemorySubAllocator(card.memory()))));
    }
    return tests;
  }

  private static DynamicTest shows(
      String name, long seed, Function<SimDevice, Allocator> allocator) {
    return DynamicTest.dynamicTest(
        name + ", seed " + seed,
        () -> {
          ReplicaUpdaterTest fresh = new ReplicaUpdaterTest();
          for (int stream = 1; stream < STREAMS; stream++) {
            fresh.device.streams().create();
          }
          fresh.runsAgree(fresh.new Stage(allocator.apply(fresh.device)), seed);
        });
  }

  private void runsAgree(Stage stage, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> held = new ArrayList<>();
    FrameReader prompt = new FrameReader();
    FrameReader sleepy = new FrameReader();
    long promptSeen = 0;
    long sleepySeen = 0;
    for (int round = 0; round < 300; round++) {
      for (int i = random.nextInt(30); i > 0; i--) {
        operate(stage.gpu, device, held, random);
      }
      stage.follow();
      prompt.show(stage.frame(promptSeen));
      promptSeen = stage.version();
      if (random.nextInt(20) == 0) {
        sleepy.show(stage.frame(sleepySeen));
        sleepySeen = stage.version();
        assertThat(sleepy.segments()).isEqualTo(FrameReader.of(stage.gpu));
      }
      assertThat(prompt.segments())
          .as("seed %d, round %d", seed, round)
          .isEqualTo(FrameReader.of(stage.gpu));
      AllocatorTotals totals = stage.gpu.inspect().totals();
      assertThat(prompt.allocatedBytes()).isEqualTo(totals.allocatedBytes());
      assertThat(prompt.activeBytes()).isEqualTo(totals.activeBytes());
      assertThat(prompt.reservedBytes()).isEqualTo(totals.reservedBytes());
    }
    assertThat(prompt.wholeCount()).isOne();
    assertThat(stage.updater.gapCount()).isZero();
  }

  private Stage caching() {
    return new Stage(new CachingAllocator(device, CachingOptions.of("")));
  }

  @Test
  void aGapInTheEventsIsCountedAndTheStateTakenAnew() {
    Stage stage = caching();
    FrameReader screen = new FrameReader();
    screen.show(stage.frame(0));
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      held.add(stage.gpu.allocate(1000, 0));
      if (held.size() > 50) {
        stage.gpu.free(held.removeFirst());
      }
    }
    long seen = stage.version();
    stage.follow();
    screen.show(stage.frame(seen));

    assertThat(screen.segments()).isEqualTo(FrameReader.of(stage.gpu));
    assertThat(stage.updater.gapCount()).isOne();
    assertThat(stage.updater.droppedCount()).isPositive();
    // 50,000 allocations, 49,950 frees told twice, one segment.
    assertThat(stage.updater.eventCount()).isEqualTo(50_000 + 2 * 49_950 + 1);
    // The curve invents no way to the new state: 50 blocks of 1000 bytes, rounded up.
    assertThat(stage.lastPoint().leastAllocatedBytes()).isEqualTo(50 * 1024);
    assertThat(stage.lastPoint().mostAllocatedBytes()).isEqualTo(50 * 1024);
    assertThat(stage.lastPoint().afterGap()).isFalse();

    stage.gpu.free(held.removeFirst());
    seen = stage.version();
    stage.follow();
    screen.show(stage.frame(seen));
    assertThat(screen.segments()).isEqualTo(FrameReader.of(stage.gpu));
    assertThat(stage.updater.gapCount()).isOne();
    assertThat(screen.wholeCount()).isEqualTo(2);
  }

  @Test
  void theCurveHasAGapAndNoDipWhereNobodyLooked() {
    Stage stage = caching();
    for (int i = 0; i < 3; i++) {
      stage.gpu.allocate(30 * MIB, 0);
    }
    stage.follow();
    assertThat(stage.lastPoint().afterGap()).isFalse();
    stage.updater.stopListening();
    stage.gpu.allocate(50 * MIB, 0);
    stage.updater.listen();
    stage.follow();

    CurvePoint back = stage.lastPoint();
    assertThat(back.afterGap()).isTrue();
    assertThat(back.leastAllocatedBytes()).isEqualTo(140 * MIB);
    assertThat(back.mostAllocatedBytes()).isEqualTo(140 * MIB);
    assertThat(back.mostReservedBytes()).isEqualTo(stage.gpu.inspect().totals().reservedBytes());
    assertThat(stage.curve.since(0)).last().isEqualTo(back);
    stage.follow();
    assertThat(stage.lastPoint().afterGap()).isFalse();
  }

  @Test
  void aBlockTellsWhereItWasAllocatedAlsoIfThatWasBeforeAnybodyLooked() {
    Stage stage = caching();
    try (var _ = recorder.scope("forward");
        var _ = recorder.scope("layer 3")) {
      stage.gpu.allocate(100, 0);
    }
    stage.follow();
    FrameReader first = new FrameReader();
    first.show(stage.frame(0));
    assertThat(first.sites()).containsExactly("", "forward › layer 3");

    stage.updater.stopListening();
    ReplicaUpdater later = new ReplicaUpdater(stage.gpu, recorder);
    later.listen();
    later.follow(0);
    FrameReader second = new FrameReader();
    second.show(
        new FrameWriter(later, new Curve()).frame(0, 0, stage.meter, new HostedState.Open()));
    assertThat(second.sites()).containsExactly("", "forward › layer 3");
    assertThat(second.segments()).isEqualTo(first.segments());
  }

  @Test
  void whatComesAndGoesBetweenTwoFramesIsCountedAndLeavesItsMarkInTheCurve() {
    Stage stage = caching();
    stage.gpu.free(stage.gpu.allocate(8 * MIB, 0));
    stage.follow();

    assertThat(stage.updater.replica().shortLivedCount()).isOne();
    CurvePoint last = stage.lastPoint();
    assertThat(last.mostAllocatedBytes()).isEqualTo(8 * MIB);
    assertThat(last.leastAllocatedBytes()).isZero();
  }

  @Test
  void aRareEventIsNotPushedOutByFrequentOnes() {
    Stage stage = caching();
    FrameReader screen = new FrameReader();
    screen.show(stage.frame(0));
    long seen = stage.version();
    stage.gpu.allocate(30 * MIB, 0);
    for (int i = 0; i < 1000; i++) {
      stage.gpu.free(stage.gpu.allocate(1000, 0));
    }
    stage.follow();
    screen.show(stage.frame(seen));

    List<Integer> kinds = screen.log().stream().map(event -> event.get(1).intValue()).toList();
    assertThat(kinds)
        .hasSizeLessThanOrEqualTo(2 * EventLog.KEPT)
        .contains(AllocatorEvent.SEGMENT_ALLOC.ordinal())
        .contains(AllocatorEvent.ALLOC.ordinal());
    // A free that completes at once is one line.
    assertThat(kinds).doesNotContain(AllocatorEvent.FREE_COMPLETED.ordinal());
  }
}
