package dev.vramscope.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SharedResultsTest {
  private final SharedResults<String, String> results = new SharedResults<>(2);
  private final AtomicInteger computations = new AtomicInteger();
  private final HeavyWork work = new HeavyWork(1, Duration.ofSeconds(20));
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    work.close();
    requests.shutdownNow();
  }

  private String computed(String key) {
    computations.incrementAndGet();
    return key + "!";
  }

  @Test
  void aResultIsComputedOnce() {
    assertThat(results.known("a")).isEmpty();
    assertThat(results.get("a", this::computed)).isEqualTo("a!");
    assertThat(results.get("a", this::computed)).isEqualTo("a!");
    assertThat(results.known("a")).contains("a!");
    assertThat(computations).hasValue(1);
  }

  @Test
  void theOldestAreForgotten() {
    for (String key : List.of("a", "b", "c")) {
      results.get(key, this::computed);
    }
    assertThat(results.known("a")).isEmpty();
    assertThat(results.known("b")).contains("b!");
    assertThat(results.known("c")).contains("c!");
  }

  @Test
  void afterAFailureItIsComputedAgain() {
    assertThatThrownBy(
            () ->
                results.get(
                    "a",
                    _ -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    assertThat(results.get("a", this::computed)).isEqualTo("a!");
  }

  /** With one turn: the task that computes gets it back while the other waits. */
  @Test
  void aTaskWaitsForThatInTheBackground() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean isOtherWaiting = new AtomicBoolean();
    work.submit(
        WorkKind.BACKGROUND,
        "background",
        () ->
            results.get(
                "a",
                key -> {
                  begun.countDown();
                  while (!isOtherWaiting.get()) {
                    HeavyWork.checkpoint();
                  }
                  return computed(key);
                }),
        () -> {});
    begun.await();
    Future<String> other =
        requests.submit(
            () ->
                work.run(
                    WorkKind.LAB,
                    Requester.waiting("ann"),
                    () -> {
                      isOtherWaiting.set(true);
                      return results.get("a", this::computed);
                    }));
    assertThat(other.get()).isEqualTo("a!");
    assertThat(computations).hasValue(1);
  }

  @Test
  void whoStillWaitsComputesWhenTheOtherClientLeaves() throws Exception {
    AtomicBoolean hasLeft = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    List<Future<String>> both = new ArrayList<>();
    both.add(
        requests.submit(
            () ->
                work.run(
                    WorkKind.LAB,
                    new Requester("ann", hasLeft::get),
                    () ->
                        results.get(
                            "a",
                            _ -> {
                              begun.countDown();
                              while (true) {
                                HeavyWork.checkpoint();
                              }
                            }))));
    begun.await();
    both.add(
        requests.submit(
            () ->
                work.run(
                    WorkKind.PLAN,
                    Requester.waiting("bob"),
                    () -> results.get("a", this::computed))));
    await().until(() -> work.load().stream().mapToInt(WorkLoad::started).sum() == 2);
    hasLeft.set(true);
    assertThat(both.getLast().get()).isEqualTo("a!");
    assertThatThrownBy(both.getFirst()::get).hasCauseInstanceOf(WorkCancelledException.class);
  }
}
