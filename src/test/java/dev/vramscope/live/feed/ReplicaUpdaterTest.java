package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.live.HostedState;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.NumberedSnapshot;
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
import tools.jackson.databind.JsonNode;

/** Compares the replica and its frames with the allocator. */
class ReplicaUpdaterTest {
  private static final long MIB = 1 << 20;
  private static final int STREAMS = 3;

  private final SimDevice device = SimDevice.ofBytes(512 * MIB);
  private final Recorder recorder = new Recorder(InstantSource.system());

  /** An allocator with its replica, and readers at different paces. */
  private final class Fixture {
    final RecordedAllocator gpu;
    final ReplicaUpdater updater;
    final Curve curve = new Curve();
    final FrameWriter writer;
    final DeviceMeter meter;
    long millis;

    Fixture(Allocator allocator) {
      gpu = recorder.attach(allocator, 0);
      meter = SimDriver.meter(device, gpu);
      recorder.recordHistory(HistorySettings.all());
      updater = new ReplicaUpdater(gpu, recorder);
      writer = new FrameWriter(updater, curve);
      updater.listen();
      update();
    }

    void update() {
      meter.read(millis);
      updater.update(millis++);
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

  /** Executes a random operation. */
  private static void operate(
      Allocator gpu, SimDevice device, List<Long> held, SplittableRandom random) {
    int choice = random.nextInt(100);
    if (choice < 50 || held.isEmpty()) {
      long bytes = 1 + (random.nextInt(4) == 0 ? random.nextLong(30 * MIB) : random.nextLong(MIB));
      try {
        held.add(gpu.allocate(bytes, random.nextInt(STREAMS)));
      } catch (OutOfDeviceMemoryException full) {
        held.subList(0, held.size() / 2).forEach(gpu::free);
        held.subList(0, held.size() / 2).clear();
      }
    } else if (choice < 60) {
      gpu.recordStream(held.get(random.nextInt(held.size())), random.nextInt(STREAMS));
    } else if (choice < 97) {
      gpu.free(held.remove(random.nextInt(held.size())));
    } else if (choice < 99) {
      device.streams().synchronize(random.nextInt(STREAMS));
    } else {
      gpu.emptyCache();
    }
  }

  @TestFactory
  List<DynamicTest> framesMatchTheAllocator() {
    List<DynamicTest> tests = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      long each = seed;
      tests.add(
          shows("caching", each, device -> new CachingAllocator(device, CachingOptions.of(""))));
      tests.add(
          shows(
              "expandable",
              each,
              device ->
                  new CachingAllocator(device, CachingOptions.of("expandable_segments:True"))));
      tests.add(shows("direct", each, DirectAllocator::new));
      tests.add(
          shows(
              "bfc",
              each,
              device ->
                  BfcAllocator.forReplay(
                      BfcOptions.of("GPU_0_bfc", 400 * MIB).withGrowing(true),
                      new MemorySubAllocator(device.memory()))));
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
          fresh.compareFramesWithAllocator(fresh.new Fixture(allocator.apply(fresh.device)), seed);
        });
  }

  private void compareFramesWithAllocator(Fixture fixture, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> held = new ArrayList<>();
    FrameReader prompt = new FrameReader();
    FrameReader slow = new FrameReader();
    long promptVersion = 0;
    long slowVersion = 0;
    for (int round = 0; round < 300; round++) {
      for (int i = random.nextInt(30); i > 0; i--) {
        operate(fixture.gpu, device, held, random);
      }
      fixture.update();
      prompt.apply(fixture.frame(promptVersion));
      promptVersion = fixture.version();
      if (random.nextInt(20) == 0) {
        slow.apply(fixture.frame(slowVersion));
        slowVersion = fixture.version();
        assertThat(slow.segments()).isEqualTo(FrameReader.of(fixture.gpu));
      }
      assertThat(prompt.segments())
          .as("seed %d, round %d", seed, round)
          .isEqualTo(FrameReader.of(fixture.gpu));
      AllocatorTotals totals = fixture.gpu.inspect().totals();
      assertThat(prompt.allocatedBytes()).isEqualTo(totals.allocatedBytes());
      assertThat(prompt.activeBytes()).isEqualTo(totals.activeBytes());
      assertThat(prompt.reservedBytes()).isEqualTo(totals.reservedBytes());
      prompt.assertLedgerAddsUp(device.memory().totalBytes());
    }
    assertThat(prompt.ledger(Ledger.Item.CACHED_RELEASABLE)).isNotNegative();
    assertThat(prompt.completeCount()).isOne();
    assertThat(fixture.updater.gapCount()).isZero();
  }

  private Fixture caching() {
    return new Fixture(new CachingAllocator(device, CachingOptions.of("")));
  }

  @Test
  void missingEventsAreCountedAndTheReplicaIsRebuilt() {
    Fixture fixture = caching();
    FrameReader reader = new FrameReader();
    reader.apply(fixture.frame(0));
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      held.add(fixture.gpu.allocate(1000, 0));
      if (held.size() > 50) {
        fixture.gpu.free(held.removeFirst());
      }
    }
    long seen = fixture.version();
    fixture.update();
    reader.apply(fixture.frame(seen));

    assertThat(reader.segments()).isEqualTo(FrameReader.of(fixture.gpu));
    assertThat(fixture.updater.gapCount()).isOne();
    assertThat(fixture.updater.droppedCount()).isPositive();
    // 50,000 allocations, 49,950 frees with two events each, one segment.
    assertThat(fixture.updater.nextEvent()).isEqualTo(50_000 + 2 * 49_950 + 1);
    // The extremes are those of the new state only: 50 blocks of 1000 bytes, rounded up.
    assertThat(fixture.lastPoint().minAllocatedBytes()).isEqualTo(50 * 1024);
    assertThat(fixture.lastPoint().maxAllocatedBytes()).isEqualTo(50 * 1024);
    assertThat(fixture.lastPoint().afterGap()).isFalse();

    fixture.gpu.free(held.removeFirst());
    seen = fixture.version();
    fixture.update();
    reader.apply(fixture.frame(seen));
    assertThat(reader.segments()).isEqualTo(FrameReader.of(fixture.gpu));
    assertThat(fixture.updater.gapCount()).isOne();
    assertThat(reader.completeCount()).isEqualTo(2);
  }

  @Test
  void eventNumbersAreThoseOfTheTrace() {
    Fixture fixture = caching();
    recorder.recordHistory(HistorySettings.all().withMaxEvents(1000));
    // Events before the first viewer are counted as well.
    for (int i = 0; i < 500; i++) {
      fixture.gpu.free(fixture.gpu.allocate(1000 + i, 0));
    }
    fixture.updater.stopListening();
    fixture.gpu.allocate(77, 1);
    fixture.updater.listen();
    fixture.update();
    fixture.gpu.allocate(5000, 2);
    assertThatThrownBy(() -> fixture.gpu.allocate(600 * MIB, 0))
        .isInstanceOf(OutOfDeviceMemoryException.class);
    long failure = recorder.takeFailure();
    fixture.update();
    FrameReader reader = new FrameReader();
    reader.apply(fixture.frame(0));

    NumberedSnapshot captured = recorder.capture();
    Trace trace = captured.snapshot().devices().getFirst().trace();
    long first = captured.firstEvent(0);
    assertThat(first).isPositive(); // The ring has wrapped.
    assertThat(fixture.updater.nextEvent()).isEqualTo(first + trace.size());
    assertThat(trace.action((int) (failure - first))).isEqualTo(TraceAction.OOM);
    assertThat(reader.log())
        .last()
        .satisfies(last -> assertThat(last.get(0).longValue()).isEqualTo(failure));
    for (JsonNode event : reader.log()) {
      int row = (int) (event.get(0).longValue() - first);
      if (row < 0) {
        continue; // A rare event that the trace no longer contains.
      }
      assertThat(trace.action(row).code()).isEqualTo((byte) event.get(1).intValue());
      assertThat(trace.address(row)).isEqualTo(Long.decode(event.get(2).asString()));
      assertThat(trace.bytes(row)).isEqualTo(event.get(3).longValue());
    }
  }

  @Test
  void ledgerOfASharedDeviceAddsUpBetweenSamplesOfTheDriver() {
    Fixture fixture = caching();
    DeviceMeter shared =
        new DeviceMeter(
            device.memory().totalBytes(),
            () -> SimDriver.view(device, fixture.gpu, /* exclusive= */ false));
    shared.read(0);
    for (int i = 0; i < 5; i++) {
      fixture.gpu.allocate(30 * MIB + i, 0);
      fixture.update();
      FrameReader reader = new FrameReader();
      reader.apply(fixture.writer.frame(0, i, shared, new HostedState.Open()));
      reader.assertLedgerAddsUp(device.memory().totalBytes());
      assertThat(reader.ledger(Ledger.Item.OUTSIDE_ALLOCATOR)).isEqualTo(3 * MIB);
      assertThat(reader.ledger(Ledger.Item.OTHER_PROCESSES)).isEqualTo(7 * MIB);
    }
  }

  @Test
  void ledgerIsThatOfASnapshot() {
    Fixture fixture =
        new Fixture(new CachingAllocator(device, CachingOptions.of("expandable_segments:True")));
    List<Long> held = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int stream = 1; stream < STREAMS; stream++) {
      device.streams().create();
    }
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 20; i++) {
        operate(fixture.gpu, device, held, random);
      }
      fixture.update();
      FrameReader reader = new FrameReader();
      reader.apply(fixture.frame(0));
      Snapshot snapshot = recorder.snapshot();
      Ledger ledger =
          Ledger.of(
              AllocatorState.end(snapshot.devices().getFirst()),
              SizeRules.of(snapshot.settings()),
              Ledger.DeviceMemory.UNKNOWN);
      for (Ledger.Item item : Ledger.Item.values()) {
        if (item.isReserved()) {
          assertThat(new Ledger.Amount.Known(reader.ledger(item))).isEqualTo(ledger.amount(item));
        }
      }
    }
  }

  @Test
  void curveHasAGapAndNoDipWithoutViewers() {
    Fixture fixture = caching();
    for (int i = 0; i < 3; i++) {
      fixture.gpu.allocate(30 * MIB, 0);
    }
    fixture.update();
    assertThat(fixture.lastPoint().afterGap()).isFalse();
    fixture.updater.stopListening();
    fixture.gpu.allocate(50 * MIB, 0);
    fixture.updater.listen();
    fixture.update();

    CurvePoint back = fixture.lastPoint();
    assertThat(back.afterGap()).isTrue();
    assertThat(back.minAllocatedBytes()).isEqualTo(140 * MIB);
    assertThat(back.maxAllocatedBytes()).isEqualTo(140 * MIB);
    assertThat(back.maxReservedBytes()).isEqualTo(fixture.gpu.inspect().totals().reservedBytes());
    assertThat(fixture.curve.since(0)).last().isEqualTo(back);
    fixture.update();
    assertThat(fixture.lastPoint().afterGap()).isFalse();
  }

  @Test
  void blocksHaveTheirSiteEvenIfAllocatedBeforeTheFirstViewer() {
    Fixture fixture = caching();
    try (var _ = recorder.scope("forward");
        var _ = recorder.scope("layer 3")) {
      fixture.gpu.allocate(100, 0);
    }
    fixture.update();
    FrameReader first = new FrameReader();
    first.apply(fixture.frame(0));
    assertThat(first.sites()).containsExactly("", "forward › layer 3");

    fixture.updater.stopListening();
    ReplicaUpdater later = new ReplicaUpdater(fixture.gpu, recorder);
    later.listen();
    later.update(0);
    FrameReader second = new FrameReader();
    second.apply(
        new FrameWriter(later, new Curve()).frame(0, 0, fixture.meter, new HostedState.Open()));
    assertThat(second.sites()).containsExactly("", "forward › layer 3");
    assertThat(second.segments()).isEqualTo(first.segments());
  }

  @Test
  void shortLivedBlocksAreCountedAndRaiseTheCurve() {
    Fixture fixture = caching();
    fixture.gpu.free(fixture.gpu.allocate(8 * MIB, 0));
    fixture.update();

    assertThat(fixture.updater.replica().shortLivedCount()).isOne();
    CurvePoint last = fixture.lastPoint();
    assertThat(last.maxAllocatedBytes()).isEqualTo(8 * MIB);
    assertThat(last.minAllocatedBytes()).isZero();
  }

  @Test
  void frequentEventsDoNotDisplaceRareOnes() {
    Fixture fixture = caching();
    FrameReader reader = new FrameReader();
    reader.apply(fixture.frame(0));
    long seen = fixture.version();
    fixture.gpu.allocate(30 * MIB, 0);
    for (int i = 0; i < 1000; i++) {
      fixture.gpu.free(fixture.gpu.allocate(1000, 0));
    }
    fixture.update();
    reader.apply(fixture.frame(seen));

    List<Integer> kinds = reader.log().stream().map(event -> event.get(1).intValue()).toList();
    assertThat(kinds)
        .hasSizeLessThanOrEqualTo(2 * EventLog.KEPT)
        .contains((int) TraceAction.SEGMENT_ALLOC.code())
        .contains((int) TraceAction.ALLOC.code());
    // A free that completes immediately is one line.
    assertThat(kinds).doesNotContain((int) TraceAction.FREE_COMPLETED.code());
  }
}
