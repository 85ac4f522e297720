package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FeedTest {
  private final SimDevice device = SimDevice.ofBytes(1L << 30);
  private final Recorder recorder = new Recorder(InstantSource.system());
  private final RecordedAllocator allocator =
      recorder.attach(new CachingAllocator(device, CachingOptions.of("")), 0);
  private final DeviceMeter meter = SimDriver.meter(device, allocator);
  private final AtomicReference<HostedState> state = new AtomicReference<>(new HostedState.Open());
  private final Feed feed = new Feed("test", allocator, recorder, meter, state::get);

  /** The timeout only turns a hang into a failure. */
  private static FeedUpdate.Frame frame(Viewer viewer) throws InterruptedException {
    return (FeedUpdate.Frame) viewer.next(60, TimeUnit.SECONDS);
  }

  @Test
  void laterViewerReceivesTheCompleteState() throws InterruptedException {
    allocator.allocate(5 << 20, 0);
    try (Viewer first = feed.open()) {
      FrameReader reader = new FrameReader();
      reader.apply(frame(first).json());
      assertThat(reader.segments()).isEqualTo(FrameReader.of(allocator)).hasSize(1);
      allocator.allocate(50 << 20, 0);
      try (Viewer second = feed.open()) {
        FrameReader other = new FrameReader();
        while (other.segments().size() < 2) {
          other.apply(frame(second).json());
        }
        while (reader.segments().size() < 2) {
          reader.apply(frame(first).json());
        }
        assertThat(other.segments())
            .isEqualTo(reader.segments())
            .isEqualTo(FrameReader.of(allocator));
      }
    }
  }

  @Test
  void slowViewerReceivesOneFrameForAllMissedVersions() throws InterruptedException {
    try (Viewer fast = feed.open();
        Viewer slow = feed.open()) {
      long seen = frame(slow).version();
      FrameReader reader = new FrameReader();
      int frames = 0;
      while (frames < 20) {
        allocator.allocate(1 << 20, 0);
        reader.apply(frame(fast).json());
        frames++;
      }
      FeedUpdate.Frame one = frame(slow);
      assertThat(one.version()).isGreaterThan(seen + 10);
      assertThat(reader.completeCount()).isOne();
    }
  }

  @Test
  void laterViewerContinuesAnEarlierOne() throws InterruptedException {
    FrameReader reader = new FrameReader();
    String position;
    try (Viewer first = feed.open()) {
      reader.apply(frame(first).json());
      position = first.position();
      allocator.allocate(5 << 20, 0);
      try (Viewer next = feed.open(position);
          Viewer ofAnotherFeed = feed.open("999." + position)) {
        while (reader.segments().isEmpty()) {
          reader.apply(frame(next).json());
        }
        assertThat(reader.completeCount()).isOne();
        FrameReader other = new FrameReader();
        other.apply(frame(ofAnotherFeed).json());
        assertThat(other.completeCount()).isOne();
      }
    }
    Feed another = new Feed("another", allocator, recorder, meter, state::get);
    try (Viewer viewer = another.open(position)) {
      FrameReader other = new FrameReader();
      other.apply(frame(viewer).json());
      assertThat(other.completeCount()).isOne();
    }
    another.end("done");
  }

  @Test
  void closedAllocatorEndsTheFeed() throws InterruptedException {
    try (Viewer viewer = feed.open()) {
      frame(viewer);
      state.set(new HostedState.Closed());
      FeedUpdate last = viewer.next(60, TimeUnit.SECONDS);
      while (last instanceof FeedUpdate.Frame) {
        last = viewer.next(60, TimeUnit.SECONDS);
      }
      assertThat(last)
          .isInstanceOfSatisfying(
              FeedUpdate.End.class, end -> assertThat(end.reason()).contains("closed"));
    }
  }

  @Test
  void everyFrameReportsALostDevice() throws InterruptedException {
    state.set(new HostedState.Lost("cuMemAlloc: device lost"));
    try (Viewer viewer = feed.open()) {
      assertThat(new String(frame(viewer).json(), StandardCharsets.UTF_8))
          .contains("\"lost\":\"cuMemAlloc: device lost\"");
    }
  }

  @Test
  void failingFeedReportsTheReason() throws InterruptedException {
    Feed failing =
        new Feed(
            "failing",
            allocator,
            recorder,
            meter,
            () -> {
              throw new IllegalStateException("the context was released");
            });
    try (Viewer viewer = failing.open()) {
      assertThat(viewer.next(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              FeedUpdate.End.class,
              end -> assertThat(end.reason()).contains("failed: the context was released"));
      assertThat(failing.hasEnded()).isTrue();
    }
  }

  @Test
  void unresponsiveDeviceDoesNotExtendTheTimeout() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Void> answered = new CompletableFuture<>();
    Feed stuck =
        new Feed(
            "stuck",
            allocator,
            recorder,
            meter,
            () -> {
              asked.countDown();
              answered.join();
              return new HostedState.Open();
            });
    try (Viewer first = stuck.open();
        Viewer second = stuck.open()) {
      asked.await();
      assertThat(first.next(1, TimeUnit.MILLISECONDS)).isInstanceOf(FeedUpdate.Unchanged.class);
      assertThat(second.next(1, TimeUnit.MILLISECONDS)).isInstanceOf(FeedUpdate.Unchanged.class);
      assertThat(stuck.viewerCount()).isEqualTo(2);
      assertThat(stuck.hasEnded()).isFalse();
      answered.complete(null);
      assertThat(frame(first).version()).isPositive();
      stuck.end("enough");
      assertThat(second.next(60, TimeUnit.SECONDS)).isInstanceOf(FeedUpdate.End.class);
    }
  }

  @Test
  void stalledViewersDoNotSlowTheAllocator() throws InterruptedException {
    recorder.recordHistory(HistorySettings.all());
    FrameReader reader = new FrameReader();
    List<Viewer> stalled = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Viewer viewer = feed.open();
      FeedUpdate.Frame first = frame(viewer);
      if (i == 0) {
        reader.apply(first.json());
      }
      stalled.add(viewer);
    }
    long before = usedHeap();
    // More events than the feed can send: the excess is dropped, and the next frame is complete.
    do {
      for (int i = 0; i < 500_000; i++) {
        allocator.free(allocator.allocate(1000 + i % 100, 0));
      }
      reader.apply(frame(stalled.getFirst()).json());
    } while (reader.completeCount() < 2);
    assertThat(usedHeap() - before).isLessThan(64L << 20);
    assertThat(feed.viewerCount()).isEqualTo(50);
    stalled.forEach(Viewer::close);
    assertThat(feed.viewerCount()).isZero();
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
