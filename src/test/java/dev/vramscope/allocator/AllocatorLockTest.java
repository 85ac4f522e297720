package dev.vramscope.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AllocatorLockTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 50_000;

  private final AllocatorLock lock = new AllocatorLock();

  /** Guarded by the lock, and not atomic. */
  private long counted;

  @Test
  void noUpdateOfManyThreadsIsLost() throws Exception {
    List<Future<?>> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        done.add(threads.submit(this::countUnderLock));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
    assertEquals((long) THREADS * ROUNDS, counted);
  }

  private void countUnderLock() {
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      try {
        counted++;
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void theOwnerMayTakeItAgainAndGivesItBackWithTheLastUnlock() throws Exception {
    lock.lock();
    lock.lock();
    lock.unlock();
    assertTrue(lock.isHeld());
    CountDownLatch taken = new CountDownLatch(1);
    Thread other = waiter(taken);
    awaitParked(other);
    assertEquals(1, taken.getCount());
    lock.unlock();
    assertFalse(lock.isHeld());
    other.join();
    assertEquals(0, taken.getCount());
  }

  @Test
  void anInterruptedThreadWaitsOnAndStaysInterrupted() throws Exception {
    lock.lock();
    CountDownLatch taken = new CountDownLatch(1);
    Thread other = waiter(taken);
    awaitParked(other);
    other.interrupt();
    awaitParked(other);
    assertEquals(1, taken.getCount());
    lock.unlock();
    other.join();
    assertTrue(interruptedAtEnd);
  }

  /** Alone, who sleeps a millisecond with the lock would leave the other nothing. */
  @ParameterizedTest
  @ValueSource(ints = {20, 1000})
  void threadsThatHoldItForMicrosecondsShareItFairly(int micros) throws Exception {
    AtomicIntegerArray turns = new AtomicIntegerArray(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int number = i;
        done.add(threads.submit(() -> takeUntilBothHadTurns(turns, number, micros)));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
  }

  /** Does not end if the lock starves the other thread. */
  private void takeUntilBothHadTurns(AtomicIntegerArray turns, int number, int micros) {
    while (turns.get(0) < 200 || turns.get(1) < 200) {
      lock.lock();
      hold(micros);
      lock.unlock();
      turns.incrementAndGet(number);
    }
  }

  /** Waits until a thread sleeps between its tries to take the lock. */
  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private void takeUntil(AtomicBoolean over, int micros) {
    while (!over.get()) {
      lock.lock();
      hold(micros);
      lock.unlock();
    }
  }

  /** Briefly at work, or asleep. */
  private static void hold(int micros) {
    long end = System.nanoTime() + 1000L * micros;
    while (System.nanoTime() < end) {
      if (micros < 100) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1000L * micros);
      }
    }
  }

  @Test
  void waitersGetItInTurnThoughTheOwnerTakesItBackAtOnce() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      threads.execute(() -> takeUntil(over, 1000));
      List<Future<?>> waiters = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiters.add(threads.submit(() -> takeTimes(50)));
      }
      try {
        for (Future<?> waiter : waiters) {
          waiter.get();
        }
      } finally {
        over.set(true);
      }
    }
  }

  private void takeTimes(int times) {
    for (int i = 0; i < times; i++) {
      lock.lock();
      lock.unlock();
    }
  }

  @Test
  void onlyTheOwnerGivesItBack() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              lock.lock();
              taken.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              lock.unlock();
            });
    owner.start();
    taken.await();
    assertThrows(AssertionError.class, lock::unlock);
    over.countDown();
    owner.join();
  }

  private volatile boolean interruptedAtEnd;

  private Thread waiter(CountDownLatch taken) {
    Thread other =
        new Thread(
            () -> {
              lock.lock();
              taken.countDown();
              lock.unlock();
              interruptedAtEnd = Thread.currentThread().isInterrupted();
            });
    other.start();
    return other;
  }
}
