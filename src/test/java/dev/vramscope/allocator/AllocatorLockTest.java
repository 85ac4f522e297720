package dev.vramscope.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    assertFalse(taken.await(50, TimeUnit.MILLISECONDS));
    lock.unlock();
    assertFalse(lock.isHeld());
    assertTrue(taken.await(30, TimeUnit.SECONDS));
    other.join();
  }

  @Test
  void anInterruptedThreadWaitsOnAndStaysInterrupted() throws Exception {
    lock.lock();
    CountDownLatch taken = new CountDownLatch(1);
    Thread other = waiter(taken);
    other.interrupt();
    assertFalse(taken.await(50, TimeUnit.MILLISECONDS));
    lock.unlock();
    other.join();
    assertTrue(interruptedAtEnd);
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
