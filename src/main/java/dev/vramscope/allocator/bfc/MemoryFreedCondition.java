package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.AllocatorLock;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the requests that wait for freed memory. Callers hold the allocator's lock; {@link #await}
 * releases it while waiting.
 */
public final class MemoryFreedCondition {
  private final AllocatorLock lock;

  /** The number of waiting requests; guarded by the allocator's lock. */
  private int waiting;

  /** The number of frees during waits; guarded by this object's monitor. */
  private long frees;

  MemoryFreedCondition(AllocatorLock lock) {
    this.lock = lock;
  }

  /** Wakes the waiting requests. Costs one comparison while none waits. */
  void signal() {
    if (waiting > 0) {
      wake();
    }
  }

  private synchronized void wake() {
    frees++;
    notifyAll();
  }

  private synchronized long frees() {
    return frees;
  }

  /** Waits for the next free, at most this time. */
  void await(long micros) throws InterruptedException {
    // Read before the lock is released, so that no free in between is missed.
    long before = frees();
    waiting++;
    lock.unlock();
    try {
      awaitMoreThan(before, System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros));
    } finally {
      lock.lock();
      waiting--;
    }
  }

  private synchronized void awaitMoreThan(long before, long deadlineNanos)
      throws InterruptedException {
    long left = deadlineNanos - System.nanoTime();
    while (frees == before && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadlineNanos - System.nanoTime();
    }
  }
}
