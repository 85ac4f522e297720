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
import java.util.concurrent.atomic.AtomicLong;
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

  /** Guarded by the lock; not atomic. */
  private long counted;

  @Test
  void protectsUpdatesOfManyThreads() throws Exception {
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
  void isReentrantAndReleasedByTheLastUnlock() throws Exception {
    lock.lock();
    lock.lock();
    lock.unlock();
    assertTrue(lock.isHeld());
    CountDownLatch acquired = new CountDownLatch(1);
    Thread other = waiter(acquired);
    awaitParked(other);
    assertEquals(1, acquired.getCount());
    lock.unlock();
    assertFalse(lock.isHeld());
    other.join();
    assertEquals(0, acquired.getCount());
  }

  @Test
  void interruptedThreadKeepsWaitingAndStaysInterrupted() throws Exception {
    lock.lock();
    CountDownLatch acquired = new CountDownLatch(1);
    Thread other = waiter(acquired);
    awaitParked(other);
    other.interrupt();
    awaitParked(other);
    assertEquals(1, acquired.getCount());
    lock.unlock();
    other.join();
    assertTrue(interruptedAtEnd);
  }

  /** Without the queue, a thread that sleeps with the lock held would starve the other. */
  @ParameterizedTest
  @ValueSource(ints = {20, 1000})
  void neitherOfTwoThreadsThatHoldItForMicrosecondsStarves(int micros) throws Exception {
    AtomicIntegerArray acquisitions = new AtomicIntegerArray(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int number = i;
        done.add(threads.submit(() -> acquireUntilBothHaveEnough(acquisitions, number, micros)));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
  }

  /** Does not end if the lock starves the other thread. */
  private void acquireUntilBothHaveEnough(AtomicIntegerArray acquisitions, int number, int micros) {
    while (acquisitions.get(0) < 200 || acquisitions.get(1) < 200) {
      lock.lock();
      hold(micros);
      lock.unlock();
      acquisitions.incrementAndGet(number);
    }
  }

  /** Waits until a thread sleeps between attempts to acquire the lock. */
  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  /** Spins for a short time, sleeps for a longer one. */
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

  /** The time that a thread waits is counted in acquisitions of the owner. */
  @Test
  void waitingThreadsAcquireItThoughTheOwnerReacquiresImmediately() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong acquisitions = new AtomicLong();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      threads.execute(() -> acquireUntil(stop, acquisitions));
      List<Future<Long>> waiters = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiters.add(threads.submit(() -> acquisitionsDuringWaits(stop, acquisitions, 30)));
      }
      try {
        for (Future<Long> waiter : waiters) {
          assertTrue(waiter.get() / 30 < 20);
        }
      } finally {
        stop.set(true);
      }
    }
  }

  private void acquireUntil(AtomicBoolean stop, AtomicLong acquisitions) {
    while (!stop.get()) {
      lock.lock();
      acquisitions.incrementAndGet();
      hold(1000);
      lock.unlock();
    }
  }

  /** Acquires the lock this many times, each time after the owner has acquired it again. */
  private long acquisitionsDuringWaits(AtomicBoolean stop, AtomicLong acquisitions, int times) {
    long during = 0;
    for (int i = 0; i < times; i++) {
      long before = acquisitions.get();
      while (acquisitions.get() == before && !stop.get()) {
        Thread.onSpinWait();
      }
      before = acquisitions.get();
      lock.lock();
      during += acquisitions.get() - before;
      lock.unlock();
    }
    return during;
  }

  @Test
  void onlyTheOwnerMayUnlock() throws Exception {
    CountDownLatch acquired = new CountDownLatch(1);
    CountDownLatch stop = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              lock.lock();
              acquired.countDown();
              try {
                stop.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              lock.unlock();
            });
    owner.start();
    acquired.await();
    assertThrows(AssertionError.class, lock::unlock);
    stop.countDown();
    owner.join();
  }

  private volatile boolean interruptedAtEnd;

  private Thread waiter(CountDownLatch acquired) {
    Thread other =
        new Thread(
            () -> {
              lock.lock();
              acquired.countDown();
              lock.unlock();
              interruptedAtEnd = Thread.currentThread().isInterrupted();
            });
    other.start();
    return other;
  }
}
