package dev.vramscope.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HeavyWorkTest {
  private static final Requester ANN = Requester.waiting("ann");
  private static final Requester BOB = Requester.waiting("bob");

  private final HeavyWork work = new HeavyWork(1, Duration.ofSeconds(20));
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    work.close();
    requests.shutdownNow();
  }

  @Test
  void aTaskRunsOnAPlatformThreadAndItsResultIsReturned() throws Exception {
    assertThat(work.run(WorkKind.LAB, ANN, () -> Thread.currentThread().isVirtual())).isFalse();
  }

  @Test
  void whatATaskThrowsIsThrown() {
    assertThatThrownBy(
            () ->
                work.run(
                    WorkKind.LAB,
                    ANN,
                    () -> {
                      throw new java.io.IOException("broken");
                    }))
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("broken");
    assertThat(loads()).allMatch(load -> load.started() == 0 && load.waiting() == 0);
  }

  @Test
  void workWithinATaskIsPartOfIt() throws Exception {
    assertThat(
            work.run(
                WorkKind.REPORT, ANN, () -> work.run(WorkKind.ANALYSIS, ANN, () -> "the same")))
        .isEqualTo("the same");
  }

  @Test
  void noMoreTasksComputeThanThereAreTurns() throws Exception {
    AtomicInteger computing = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<Object>> tasks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      WorkKind kind = WorkKind.values()[i % WorkKind.values().length];
      tasks.add(
          start(
              kind,
              Requester.waiting("client" + i % 3),
              () -> {
                most.accumulateAndGet(computing.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                computing.decrementAndGet();
              }));
    }
    for (Future<Object> task : tasks) {
      task.get();
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void turnsGoRoundTheKindsAndInAKindRoundItsClients() throws Exception {
    CountDownLatch go = occupy();
    List<Future<Object>> tasks = new ArrayList<>();
    for (String name : List.of("a1", "a2", "a3")) {
      tasks.add(waiting(WorkKind.LAB, ANN, name));
    }
    tasks.add(waiting(WorkKind.LAB, BOB, "b1"));
    tasks.add(waiting(WorkKind.EXPLANATION, ANN, "e1"));
    go.countDown();
    for (Future<Object> task : tasks) {
      task.get();
    }
    assertThat(order).hasSize(5);
    assertThat(order.indexOf("b1")).isLessThan(order.indexOf("a2"));
    assertThat(order.indexOf("e1")).isLessThan(order.indexOf("b1"));
    assertThat(order).containsSubsequence("a1", "a2", "a3");
  }

  @Test
  void aLongTaskGivesWayAtACheckpoint() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean isOtherDone = new AtomicBoolean();
    Future<Object> slow =
        start(
            WorkKind.LAB,
            ANN,
            () -> {
              begun.countDown();
              while (!isOtherDone.get()) {
                HeavyWork.checkpoint();
              }
            });
    begun.await();
    start(WorkKind.EXPLANATION, BOB, () -> isOtherDone.set(true)).get();
    slow.get();
  }

  @Test
  void workInTheBackgroundWaitsForAllOther() throws Exception {
    CountDownLatch go = occupy();
    CountDownLatch prepared = new CountDownLatch(1);
    work.submit(
        WorkKind.BACKGROUND,
        "background",
        () -> {
          order.add("background");
          prepared.countDown();
        },
        () -> {});
    List<Future<Object>> others =
        List.of(waiting(WorkKind.LAB, ANN, "a1"), waiting(WorkKind.EXPORT, BOB, "b1"));
    go.countDown();
    for (Future<Object> other : others) {
      other.get();
    }
    prepared.await();
    assertThat(order).last().isEqualTo("background");
  }

  @Test
  void workInTheBackgroundIsNotStarved() throws Exception {
    CountDownLatch prepared = new CountDownLatch(1);
    Future<Object> endless =
        start(
            WorkKind.LAB,
            ANN,
            () -> {
              while (prepared.getCount() > 0) {
                HeavyWork.checkpoint();
              }
            });
    work.submit(WorkKind.BACKGROUND, "background", prepared::countDown, () -> {});
    endless.get();
  }

  @Test
  void aTaskWaitsForItsClientWithoutATurn() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch client = new CountDownLatch(1);
    Future<Object> export =
        start(
            WorkKind.EXPORT,
            ANN,
            () ->
                HeavyWork.withoutTurn(
                    () -> {
                      waits.countDown();
                      client.await();
                      return null;
                    }));
    waits.await();
    assertThat(work.run(WorkKind.LAB, BOB, () -> "computed")).isEqualTo("computed");
    client.countDown();
    export.get();
  }

  @Test
  void aTaskEndsWhenItsClientLeaves() throws Exception {
    AtomicBoolean hasLeft = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Future<Object> task =
        start(
            WorkKind.LAB,
            new Requester("ann", hasLeft::get),
            () -> {
              begun.countDown();
              while (true) {
                HeavyWork.checkpoint();
              }
            });
    begun.await();
    hasLeft.set(true);
    assertThatThrownBy(task::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(WorkCancelledException.class);
    assertThat(loads()).allMatch(load -> load.started() == 0);
  }

  @Test
  void aTaskThatWaitsForItsTurnEndsWhenItsClientLeaves() throws Exception {
    CountDownLatch go = occupy();
    AtomicBoolean hasLeft = new AtomicBoolean();
    Future<Object> task =
        start(WorkKind.LAB, new Requester("ann", hasLeft::get), () -> order.add("ran"));
    until(() -> waiting(WorkKind.LAB) == 1);
    hasLeft.set(true);
    assertThatThrownBy(task::get).hasCauseInstanceOf(WorkCancelledException.class);
    assertThat(waiting(WorkKind.LAB)).isZero();
    go.countDown();
    assertThat(order).isEmpty();
  }

  @Test
  void aTaskThatCannotBeginInTimeIsRejectedWithATime() throws Exception {
    try (HeavyWork impatient = new HeavyWork(1, Duration.ofMillis(300))) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Future<Object> busy =
          requests.submit(
              () ->
                  impatient.run(
                      WorkKind.REPORT,
                      ANN,
                      () -> {
                        begun.countDown();
                        go.await();
                        return null;
                      }));
      begun.await();
      assertThatThrownBy(() -> impatient.run(WorkKind.LAB, BOB, () -> "late"))
          .isInstanceOfSatisfying(
              WorkBusyException.class,
              rejected -> {
                assertThat(rejected).hasMessageContaining("place 1 of those that wait");
                assertThat(rejected.retryAfter()).isBetween(second(1), second(120));
              });
      go.countDown();
      busy.get();
    }
  }

  @Test
  void oneClientCannotFillAQueue() throws Exception {
    CountDownLatch go = occupy();
    List<Future<Object>> own = new ArrayList<>();
    for (int i = 0; i < 264; i++) {
      own.add(start(WorkKind.LAB, ANN, () -> {}));
    }
    until(() -> own.stream().filter(Future::isDone).count() == 8);
    Future<Object> other = start(WorkKind.LAB, BOB, () -> {});
    go.countDown();
    other.get();
    int rejected = 0;
    for (Future<Object> task : own) {
      try {
        task.get();
      } catch (ExecutionException failed) {
        assertThat(failed).hasCauseInstanceOf(WorkBusyException.class);
        rejected++;
      }
    }
    assertThat(rejected).isEqualTo(8);
  }

  @Test
  void aKindStartsNoMoreTasksThanItPermits() throws Exception {
    CountDownLatch client = new CountDownLatch(1);
    List<Future<Object>> plans = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      plans.add(
          start(
              WorkKind.PLAN,
              Requester.waiting("client" + i),
              () -> {
                HeavyWork.withoutTurn(
                    () -> {
                      client.await();
                      return null;
                    });
              }));
    }
    until(() -> waiting(WorkKind.PLAN) == 2);
    assertThat(work.run(WorkKind.LAB, BOB, () -> "computed")).isEqualTo("computed");
    assertThat(waiting(WorkKind.PLAN)).isEqualTo(2);
    client.countDown();
    for (Future<Object> plan : plans) {
      plan.get();
    }
  }

  @Test
  void oneClientCannotStartAllTasksThatWaitForTheirClients() throws Exception {
    CountDownLatch downloaded = new CountDownLatch(1);
    List<Future<Object>> slow = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      slow.add(start(WorkKind.EXPORT, ANN, () -> awaitWithoutTurn(downloaded)));
    }
    // Both counts: while tasks still come in, 24 may wait for a moment with fewer started.
    until(() -> loads().contains(new WorkLoad(WorkKind.EXPORT, 16, 24)));
    assertThat(work.run(WorkKind.EXPORT, BOB, () -> "exported")).isEqualTo("exported");
    assertThat(waiting(WorkKind.EXPORT)).isEqualTo(24);
    downloaded.countDown();
    for (Future<Object> export : slow) {
      export.get();
    }
  }

  @Test
  void closingCancelsTasksWithoutATurn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch received = new CountDownLatch(1);
    Future<Object> export =
        start(
            WorkKind.EXPORT,
            ANN,
            () -> {
              begun.countDown();
              awaitWithoutTurn(received);
              order.add("went on");
            });
    begun.await();
    assertThat(work.run(WorkKind.LAB, BOB, () -> "computed")).isEqualTo("computed");
    work.close();
    received.countDown();
    assertThatThrownBy(export::get).hasCauseInstanceOf(WorkCancelledException.class);
    assertThat(order).isEmpty();
  }

  private static void awaitWithoutTurn(CountDownLatch latch) throws Exception {
    HeavyWork.withoutTurn(
        () -> {
          latch.await();
          return null;
        });
  }

  @Test
  void anUploadThatWasReceivedIsNeverRejected() throws Exception {
    CountDownLatch go = occupy();
    List<Future<Object>> uploads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      uploads.add(start(WorkKind.INGEST, ANN, () -> {}));
    }
    until(() -> waiting(WorkKind.INGEST) == 200);
    go.countDown();
    for (Future<Object> upload : uploads) {
      upload.get();
    }
  }

  @Test
  void closingCancelsTasks() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Future<Object> running =
        start(
            WorkKind.LAB,
            ANN,
            () -> {
              begun.countDown();
              while (true) {
                HeavyWork.checkpoint();
              }
            });
    begun.await();
    CountDownLatch discarded = new CountDownLatch(1);
    work.submit(WorkKind.REPLAY, "ann", () -> order.add("ran"), discarded::countDown);
    work.close();
    discarded.await();
    assertThatThrownBy(running::get).hasCauseInstanceOf(WorkCancelledException.class);
    assertThatThrownBy(() -> work.run(WorkKind.LAB, ANN, () -> "late"))
        .isInstanceOf(WorkCancelledException.class);
    assertThat(order).isEmpty();
  }

  /** Work that may throw. */
  private interface Body {
    void run() throws Exception;
  }

  private Future<Object> start(WorkKind kind, Requester requester, Body body) {
    return requests.submit(
        () ->
            work.run(
                kind,
                requester,
                () -> {
                  body.run();
                  return null;
                }));
  }

  /** Starts a task that adds its name to the order, and returns when it waits. */
  private Future<Object> waiting(WorkKind kind, Requester requester, String name)
      throws InterruptedException {
    int before = waiting(kind);
    Future<Object> task = start(kind, requester, () -> order.add(name));
    until(() -> waiting(kind) == before + 1);
    return task;
  }

  /** Takes the only turn until the latch is counted down. */
  private CountDownLatch occupy() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    work.submit(
        WorkKind.REPORT,
        "carl",
        () -> {
          begun.countDown();
          try {
            go.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        },
        () -> {});
    begun.await();
    return go;
  }

  private List<WorkLoad> loads() {
    return work.load();
  }

  private int waiting(WorkKind kind) {
    return loads().stream().filter(load -> load.kind() == kind).findFirst().orElseThrow().waiting();
  }

  private static void until(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofMinutes(1)).until(condition);
  }

  private static Duration second(long count) {
    return Duration.ofSeconds(count);
  }
}
