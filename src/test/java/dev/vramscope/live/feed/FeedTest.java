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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FeedTest {
  private final SimDevice device = SimDevice.ofBytes(1L << 30);
  private final Recorder recorder = new Recorder(InstantSource.system());
  private final RecordedAllocator gpu =
      recorder.attach(new CachingAllocator(device, CachingOptions.of("")), 0);
  private final AtomicReference<HostedState> state = new AtomicReference<>(new HostedState.Open());
  private final Feed feed = new Feed("test", gpu, recorder, device, state::get);

  private static FeedUpdate.Frame frame(Viewer viewer) throws InterruptedException {
    return (FeedUpdate.Frame) viewer.next(10, TimeUnit.SECONDS);
  }

  @Test
  void whoComesLaterSeesWhatIsThereAlready() throws InterruptedException {
    gpu.allocate(5 << 20, 0);
    try (Viewer first = feed.open()) {
      FrameReader screen = new FrameReader();
      screen.show(frame(first).json());
      assertThat(screen.segments()).isEqualTo(FrameReader.of(gpu)).hasSize(1);
      gpu.allocate(50 << 20, 0);
      try (Viewer second = feed.open()) {
        FrameReader other = new FrameReader();
        while (other.segments().size() < 2) {
          other.show(frame(second).json());
        }
        while (screen.segments().size() < 2) {
          screen.show(frame(first).json());
        }
        assertThat(other.segments()).isEqualTo(screen.segments()).isEqualTo(FrameReader.of(gpu));
      }
    }
  }

  @Test
  void aViewerThatSleepsGetsOneFrameForAllItMissed() throws InterruptedException {
    try (Viewer awake = feed.open();
        Viewer asleep = feed.open()) {
      long seen = frame(asleep).version();
      FrameReader screen = new FrameReader();
      int frames = 0;
      while (frames < 20) {
        gpu.allocate(1 << 20, 0);
        screen.show(frame(awake).json());
        frames++;
      }
      FeedUpdate.Frame one = frame(asleep);
      assertThat(one.version()).isGreaterThan(seen + 10);
      assertThat(screen.wholeCount()).isOne();
    }
  }

  @Test
  void aClosedAllocatorEndsTheFeed() throws InterruptedException {
    try (Viewer viewer = feed.open()) {
      frame(viewer);
      state.set(new HostedState.Closed());
      FeedUpdate last = viewer.next(10, TimeUnit.SECONDS);
      while (last instanceof FeedUpdate.Frame) {
        last = viewer.next(10, TimeUnit.SECONDS);
      }
      assertThat(last)
          .isInstanceOfSatisfying(
              FeedUpdate.End.class, end -> assertThat(end.reason()).contains("closed"));
    }
  }

  @Test
  void aLostCardIsSaidInEveryFrame() throws InterruptedException {
    state.set(new HostedState.Lost("cuMemAlloc: device lost"));
    try (Viewer viewer = feed.open()) {
      assertThat(new String(frame(viewer).json(), StandardCharsets.UTF_8))
          .contains("\"lost\":\"cuMemAlloc: device lost\"");
    }
  }

  @Test
  void aFeedThatFailsSaysSoAndWhy() throws InterruptedException {
    Feed failing =
        new Feed(
            "failing",
            gpu,
            recorder,
            device,
            () -> {
              throw new IllegalStateException("the context was released");
            });
    try (Viewer viewer = failing.open()) {
      assertThat(viewer.next(10, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              FeedUpdate.End.class,
              end -> assertThat(end.reason()).contains("failed: the context was released"));
      assertThat(failing.isOver()).isTrue();
    }
  }

  @Test
  void aCardThatDoesNotAnswerMakesNobodyWaitForLongerThanHeWants() throws Exception {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    Feed stuck =
        new Feed(
            "stuck",
            gpu,
            recorder,
            device,
            () -> {
              answered.join();
              return new HostedState.Open();
            });
    try (Viewer first = stuck.open();
        Viewer second = stuck.open()) {
      assertThat(first.next(50, TimeUnit.MILLISECONDS)).isInstanceOf(FeedUpdate.Unchanged.class);
      assertThat(second.next(50, TimeUnit.MILLISECONDS)).isInstanceOf(FeedUpdate.Unchanged.class);
      assertThat(stuck.viewerCount()).isEqualTo(2);
      assertThat(stuck.isOver()).isFalse();
      answered.complete(null);
      assertThat(frame(first).version()).isPositive();
      stuck.end("enough");
      assertThat(second.next(10, TimeUnit.SECONDS)).isInstanceOf(FeedUpdate.End.class);
    }
  }

  @Test
  void viewersThatDoNotReadCostTheAllocatorNothing() throws InterruptedException {
    recorder.recordHistory(HistorySettings.all());
    List<Viewer> stalled = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Viewer viewer = feed.open();
      frame(viewer);
      stalled.add(viewer);
    }
    long before = usedHeap();
    // More events than the feed can send: those that find no room are dropped.
    for (int i = 0; i < 500_000; i++) {
      gpu.free(gpu.allocate(1000 + i % 100, 0));
    }
    assertThat(usedHeap() - before).isLessThan(64L << 20);
    assertThat(feed.viewerCount()).isEqualTo(50);
    FrameReader screen = new FrameReader();
    screen.show(frame(stalled.getFirst()).json());
    assertThat(screen.wholeCount()).isOne();
    stalled.forEach(Viewer::close);
    assertThat(feed.viewerCount()).isZero();
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
