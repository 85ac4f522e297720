package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoreShareTest {
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).as("a stopped run does not wait").isTrue();
    }
  }

  private void start(Runnable run) {
    threads.add(Thread.ofPlatform().daemon().start(run));
  }

  @Test
  void runsShareTheCoresFairly() {
    CoreShare cores = new CoreShare(2);
    AtomicInteger executing = new AtomicInteger();
    AtomicLong excess = new AtomicLong();
    List<AtomicLong> operations = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      AtomicLong count = new AtomicLong();
      operations.add(count);
      CoreShare.Turn turn = cores.turn(stopped::get);
      start(
          () -> {
            while (!stopped.get()) {
              turn.pass();
              if (stopped.get()) {
                return;
              }
              excess.addAndGet(executing.incrementAndGet() > 2 ? 1 : 0);
              LockSupport.parkNanos(100_000); // Holds its core without using this machine's.
              executing.decrementAndGet();
              count.incrementAndGet();
            }
          });
    }
    await().until(() -> sum(operations) >= 8_000);

    long fewest = operations.stream().mapToLong(AtomicLong::get).min().orElseThrow();
    long total = sum(operations);
    // A run that a busy machine interrupts for 50 ms is taken for blocked, and loses its core.
    assertThat(excess.get()).as("of %d operations", total).isLessThanOrEqualTo(total / 20);
    assertThat(fewest).as("of %d operations by 8 runs", total).isGreaterThan(total / 8 / 3);
  }

  @Test
  void runAloneNeverWaits() {
    CoreShare.Turn turn = new CoreShare(1).turn(stopped::get);
    for (int i = 0; i < 100_000; i++) {
      turn.pass();
    }
    assertThat(turn.waitedNanos()).isLessThan(Duration.ofMillis(50).toNanos());
  }

  /** On a busy machine, a thread that was woken may continue only after a long time. */
  @Test
  void runThatLosesItsCoreBeforeItWakesContinues() throws InterruptedException {
    CoreShare cores = new CoreShare(1);
    CoreShare.Turn first = cores.turn(stopped::get);
    first.pass();
    CountDownLatch continued = new CountDownLatch(1);
    CoreShare.Turn second = cores.turn(stopped::get);
    start(
        () -> {
          second.pass();
          continued.countDown();
        });
    await().until(() -> threads.getFirst().getState() != Thread.State.RUNNABLE);
    cores.lock.lock(); // The thread of the second run cannot continue.
    try {
      first.release();
      Thread.sleep(Duration.ofNanos(CoreShare.BLOCKED_NANOS).plusMillis(10));
      cores.endBlocked();
    } finally {
      cores.lock.unlock();
    }
    assertThat(continued.await(5, TimeUnit.SECONDS)).isTrue();
  }

  /** A run at full speed that was alone has used more time than one that has just started. */
  @Test
  void newRunAndOneThatWasAloneContinueTogether() {
    CoreShare cores = new CoreShare(1);
    AtomicLong alone = startAtFullSpeed(cores);
    await().until(() -> alone.get() >= 5_000);
    AtomicLong joined = startAtFullSpeed(cores);
    await().until(() -> joined.get() > 0);
    for (int period = 0; period < 5; period++) {
      long aloneAt = alone.get();
      long joinedAt = joined.get();
      await().until(() -> alone.get() - aloneAt + joined.get() - joinedAt >= 400);
      long ofAlone = alone.get() - aloneAt;
      long ofJoined = joined.get() - joinedAt;
      assertThat(ofAlone).as("period %d", period).isBetween(ofJoined / 4, ofJoined * 4);
    }
  }

  /** With two cores, a run that is blocked keeps its core until another run waits for one. */
  @Test
  void runThatWasBlockedForLongIsNotChargedForThatTime() throws InterruptedException {
    CoreShare cores = new CoreShare(2);
    CoreShare.Turn blocked = cores.turn(stopped::get);
    blocked.pass();
    Thread.sleep(800); // The time that would be charged.
    List<AtomicLong> others = List.of(startAtFullSpeed(cores), startAtFullSpeed(cores));
    await().until(() -> others.stream().allMatch(count -> count.get() > 200));
    long start = System.nanoTime();
    blocked.pass();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(300));
  }

  private AtomicLong startAtFullSpeed(CoreShare cores) {
    AtomicLong operations = new AtomicLong();
    CoreShare.Turn turn = cores.turn(stopped::get);
    start(
        () -> {
          while (!stopped.get()) {
            turn.pass();
            LockSupport.parkNanos(100_000); // Holds its core without using this machine's.
            operations.incrementAndGet();
          }
        });
    return operations;
  }

  /** Such as one that waits for memory that only another run can free. */
  @Test
  void runThatIsBlockedLosesItsCore() throws InterruptedException {
    CoreShare cores = new CoreShare(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch freed = new CountDownLatch(1);
    AtomicBoolean continued = new AtomicBoolean();
    CoreShare.Turn waiting = cores.turn(stopped::get);
    start(
        () -> {
          waiting.pass();
          blocked.countDown();
          awaitUnchecked(freed);
          waiting.pass();
          continued.set(true);
        });
    blocked.await();
    CoreShare.Turn other = cores.turn(stopped::get);
    other.pass();
    assertThat(other.waitedNanos()).isPositive();
    freed.countDown();
    other.release();
    assertThat(threads.getFirst().join(Duration.ofSeconds(10))).isTrue();
    assertThat(continued).isTrue();
  }

  @Test
  void runThatSleepsContinuesBeforeThoseAtFullSpeed() throws InterruptedException {
    CoreShare cores = new CoreShare(1);
    List<AtomicLong> operations = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      operations.add(startAtFullSpeed(cores));
    }
    CoreShare.Turn paced = cores.turn(stopped::get);
    await().until(() -> sum(operations) >= 1_000);
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      paced.pass();
      paced.release();
      Thread.sleep(1);
    }
    double perTurn = (System.nanoTime() - start) / 20e6;
    assertThat(perTurn).as("milliseconds for each turn; 30 in a queue").isLessThan(20);
  }

  private static long sum(List<AtomicLong> counts) {
    return counts.stream().mapToLong(AtomicLong::get).sum();
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
