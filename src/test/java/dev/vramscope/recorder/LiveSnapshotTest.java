package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.export.TorchPickleWriter;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Analyses of a recorded live allocator agree with the statistics of the allocator. */
class LiveSnapshotTest {
  private final SimDevice device = SimDevice.ofBytes(1L << 30);
  private final Recorder recorder =
      new Recorder(InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")));

  @ParameterizedTest
  @CsvSource({"1, ''", "2, ''", "3, 'expandable_segments:True'", "4, 'max_split_size_mb:64'"})
  void analysesAgreeWithAllocatorStatistics(long seed, String settings) {
    CachingAllocator caching = new CachingAllocator(device, CachingOptions.of(settings));
    Snapshot snapshot = recorded(caching, seed);
    DeviceSnapshot now = snapshot.devices().getFirst();

    Lifetimes lifetimes = Lifetimes.of(now);
    assertThat(lifetimes.findings()).isEmpty();
    assertThat(lifetimes.liveBeforeCount()).isZero();
    MemorySummary summary =
        MemorySummary.of(snapshot, now, lifetimes, ActiveBytes.of(now, lifetimes));
    assertThat(summary.isComplete()).isTrue();
    SortedMap<String, Long> stats = MemoryStats.of(caching.statistics());
    for (Map.Entry<String, Long> counter : summary.counters().entrySet()) {
      assertThat(counter.getValue())
          .as("seed %d, %s", seed, counter.getKey())
          .isEqualTo(stats.get(counter.getKey()));
    }
    assertThat(summary.counters()).hasSizeGreaterThan(60);
  }

  @ParameterizedTest
  @CsvSource({"5, ''", "6, 'expandable_segments:True,garbage_collection_threshold:0.9'"})
  void pickleRoundTripKeepsTheSnapshot(long seed, String settings)
      throws IOException, FormatException {
    Snapshot snapshot = recorded(new CachingAllocator(device, CachingOptions.of(settings)), seed);
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    TorchPickleWriter.write(snapshot, pickle);
    Snapshot again =
        TorchPickleReader.read(
            new ByteArrayInputStream(pickle.toByteArray()), ReadLimits.defaults());

    assertThat(again.findings()).isEmpty();
    assertThat(again.origin().producer()).isEqualTo(snapshot.origin().producer());
    assertThat(again.settings()).isEqualTo(snapshot.settings());
    DeviceSnapshot expected = snapshot.devices().getFirst();
    DeviceSnapshot found = again.devices().getFirst();
    assertThat(found.segments()).hasSameSizeAs(expected.segments());
    for (int event = 0; event < expected.trace().size(); event++) {
      assertThat(found.trace().action(event)).isEqualTo(expected.trace().action(event));
      assertThat(found.trace().address(event)).isEqualTo(expected.trace().address(event));
      assertThat(found.trace().timeMicros(event)).isEqualTo(expected.trace().timeMicros(event));
      assertThat(again.stacks().framesOf(found.trace().stack(event)))
          .isEqualTo(snapshot.stacks().framesOf(expected.trace().stack(event)));
    }
    assertThat(found.trace().ooms()).isEqualTo(expected.trace().ooms());
  }

  private Snapshot recorded(CachingAllocator caching, long seed) {
    RecordedAllocator gpu = recorder.attach(caching, 0);
    recorder.recordHistory(
        HistorySettings.all().withContexts(ContextKind.BOTH, 3).withMoment(ContextMoment.ALL));
    SplittableRandom random = new SplittableRandom(seed);
    int stream = device.streams().create();
    List<Long> live = new ArrayList<>();
    for (int step = 0; step < 3000; step++) {
      try (var _ = recorder.scope("phase " + step / 1000)) {
        if (random.nextInt(100) < 52) {
          tryToAllocate(gpu, 1L << random.nextInt(27), live);
        } else if (!live.isEmpty()) {
          long block = live.remove(random.nextInt(live.size()));
          if (random.nextInt(4) == 0) {
            gpu.recordStream(block, stream);
          }
          gpu.free(block);
        }
        if (random.nextInt(50) == 0) {
          device.streams().synchronizeAll();
        }
        if (random.nextInt(500) == 0) {
          gpu.emptyCache();
        }
      }
    }
    Snapshot snapshot = recorder.snapshot();
    recorder.detach(gpu);
    return snapshot;
  }

  private static void tryToAllocate(RecordedAllocator gpu, long bytes, List<Long> live) {
    try {
      live.add(gpu.allocate(bytes, 0));
    } catch (OutOfDeviceMemoryException full) {
      // The failure is an event of the history; like a client that handles it, free a block.
      if (!live.isEmpty()) {
        gpu.free(live.removeFirst());
      }
    }
  }
}
