package dev.vramscope.web.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotStored;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.Requester;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotCacheTest {
  private static final HeavyWork WORK = new HeavyWork(2, Duration.ofMinutes(1));

  private final List<String> decoded = new ArrayList<>();

  @Test
  void decodesASnapshotOnce() {
    SnapshotCache cache =
        new SnapshotCache(
            this::decode, _ -> 3 << 20, SnapshotCacheTest::inspection, WORK, Long.MAX_VALUE);
    assertThat(cache.get("a")).isSameAs(cache.get("a"));
    assertThat(decoded).containsExactly("a");
  }

  @Test
  void evictsTheLeastRecentlyUsedFirst() {
    SnapshotCache cache =
        new SnapshotCache(
            this::decode,
            _ -> 3 << 20,
            SnapshotCacheTest::inspection,
            WORK,
            2 * decode("size").heapBytes());
    cache.get("a");
    cache.get("b");
    cache.get("a");
    cache.get("c");
    assertThat(cache.size()).isEqualTo(2);
    decoded.clear();
    cache.get("a");
    cache.get("c");
    assertThat(decoded).isEmpty();
  }

  @Test
  void keepsASnapshotLargerThanTheLimitAlone() {
    SnapshotCache cache =
        new SnapshotCache(this::decode, _ -> 3 << 20, SnapshotCacheTest::inspection, WORK, 1);
    cache.get("a");
    assertThat(cache.size()).isEqualTo(1);
    cache.get("b");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void removesADeletedSnapshotThatWasAlreadyEvicted() {
    SnapshotCache cache =
        new SnapshotCache(this::decode, _ -> 3 << 20, SnapshotCacheTest::inspection, WORK, 1);
    cache.get("a");
    cache.get("b");
    cache.evict("a");
    cache.evict("b");
    assertThat(cache.size()).isZero();
    decoded.clear();
    cache.get("a");
    assertThat(decoded).containsExactly("a");
  }

  @Test
  void keepsAnUploadForItsFirstPage() {
    SnapshotCache cache =
        new SnapshotCache(
            this::decode, _ -> 3 << 20, SnapshotCacheTest::inspection, WORK, Long.MAX_VALUE);
    Snapshot uploaded = snapshot("a").snapshot();
    cache.keep(new SnapshotStored("a", SnapshotHistory.of(uploaded)));
    assertThat(cache.size()).isZero();
    assertThat(cache.get("a").snapshot()).isSameAs(uploaded);
    assertThat(decoded).isEmpty();
  }

  @Test
  void doesNotKeepAnUploadThatWasDeletedMeanwhile() {
    SnapshotCache cache =
        new SnapshotCache(
            this::decode,
            _ -> SnapshotCache.NOT_STORED,
            SnapshotCacheTest::inspection,
            WORK,
            Long.MAX_VALUE);
    cache.keep(new SnapshotStored("a", SnapshotHistory.of(snapshot("a").snapshot())));
    cache.get("a");
    assertThat(decoded).containsExactly("a");
  }

  @Test
  void concurrentRequestsShareOneDecoding() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    SnapshotCache cache =
        new SnapshotCache(
            id -> {
              count.incrementAndGet();
              try {
                go.await();
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
              return snapshot(id);
            },
            _ -> 3 << 20,
            SnapshotCacheTest::inspection,
            WORK,
            Long.MAX_VALUE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SnapshotInspection>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(threads.submit(() -> cache.get("a")));
      }
      go.countDown();
      SnapshotInspection first = answers.getFirst().get();
      for (Future<SnapshotInspection> answer : answers) {
        assertThat(answer.get()).isSameAs(first);
      }
    }
    assertThat(count.get()).isEqualTo(1);
  }

  @Test
  void aClientThatLeavesDoesNotFailTheOthersThatWaitForTheSameSnapshot() throws Exception {
    AtomicBoolean hasLeft = new AtomicBoolean();
    CountDownLatch isDecoding = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    SnapshotCache cache =
        new SnapshotCache(
            id -> {
              if (count.incrementAndGet() == 1) {
                isDecoding.countDown();
                while (true) {
                  HeavyWork.checkpoint();
                }
              }
              return snapshot(id);
            },
            _ -> 3 << 20,
            SnapshotCacheTest::inspection,
            WORK,
            Long.MAX_VALUE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<SnapshotInspection> leaving =
          threads.submit(
              () ->
                  WORK.run(
                      WorkKind.EXPORT, new Requester("a", hasLeft::get), () -> cache.get("a")));
      isDecoding.await();
      CountDownLatch isAsking = new CountDownLatch(1);
      Future<SnapshotInspection> waiting =
          threads.submit(
              () ->
                  WORK.run(
                      WorkKind.EXPORT,
                      Requester.waiting("b"),
                      () -> {
                        isAsking.countDown();
                        return cache.get("a");
                      }));
      isAsking.await();
      hasLeft.set(true);
      assertThat(nameOf(waiting.get())).isEqualTo("a");
      assertThatThrownBy(leaving::get).hasCauseInstanceOf(WorkCancelledException.class);
    }
    assertThat(count.get()).isEqualTo(2);
  }

  @Test
  void doesNotCacheAFailure() {
    AtomicInteger count = new AtomicInteger();
    SnapshotCache cache =
        new SnapshotCache(
            id -> {
              if (count.getAndIncrement() == 0) {
                throw RefusedRequestException.noSnapshot(id);
              }
              return snapshot(id);
            },
            _ -> 3 << 20,
            SnapshotCacheTest::inspection,
            WORK,
            Long.MAX_VALUE);
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(RefusedRequestException.class);
    assertThat(nameOf(cache.get("a"))).isEqualTo("a");
  }

  @Test
  void dropsTheOthersWhenTheHeapIsFull() {
    AtomicInteger count = new AtomicInteger();
    SnapshotCache cache =
        new SnapshotCache(
            id -> {
              if (id.equals("b") && count.getAndIncrement() == 0) {
                throw new OutOfMemoryError("Java heap space");
              }
              return decode(id);
            },
            _ -> 3 << 20,
            SnapshotCacheTest::inspection,
            WORK,
            Long.MAX_VALUE);
    cache.get("a");
    assertThat(nameOf(cache.get("b"))).isEqualTo("b");
    assertThat(cache.size()).isEqualTo(1);
    cache.get("a");
    assertThat(decoded).containsExactly("a", "b", "a");
  }

  @Test
  void forgetsWhatNobodyHasUsedForATime() {
    SnapshotCache cache =
        new SnapshotCache(
            this::decode, _ -> 3 << 20, SnapshotCacheTest::inspection, WORK, Long.MAX_VALUE);
    cache.get("a");
    Duration anHour = Duration.ofHours(1);
    cache.forgetUnused(anHour, anHour);
    assertThat(cache.size()).isEqualTo(1);
    cache.forgetUnused(Duration.ZERO, anHour);
    assertThat(cache.size()).isZero();
    cache.get("a");
    assertThat(decoded).as("it is loaded again").containsExactly("a", "a");
  }

  @Test
  void rejectsAnUnknownDevice() {
    SnapshotInspection loaded = snapshot("a");
    assertThat(ChosenDevice.of(loaded, null).ordinal()).isEqualTo(0);
    assertThatThrownBy(() -> ChosenDevice.of(loaded, 5))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("The snapshot has no device 5");
  }

  private SnapshotInspection decode(String id) {
    decoded.add(id);
    return snapshot(id);
  }

  private static SnapshotInspection snapshot(String id) {
    Block block = new Block(4096, 2 << 20, 2 << 20, BlockState.ALLOCATED, StackTable.NONE);
    Segment segment =
        new Segment(4096, 2 << 20, 0, PoolKind.LARGE, PoolId.DEFAULT, false, 0, List.of(block));
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(segment), Trace.EMPTY, List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", id, Trace.NO_TIME),
            Optional.empty(),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    return SnapshotInspection.of(snapshot);
  }

  private static SnapshotInspection inspection(String id, SnapshotHistory history) {
    return SnapshotInspection.of(history, List::of, _ -> KnownReplays.NONE);
  }

  private static String nameOf(SnapshotInspection inspection) {
    return inspection.snapshot().origin().producer();
  }
}
