package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.AllocatorLock;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the requests that wait for a free. The allocator's lock is held whenever this is called;
 * only who waits lets go of it meanwhile.
 */
public final class MemoryFreedCondition {
  private final AllocatorLock lock;

  /** Requests that wait; guarded by the allocator's lock. */
  private int waiting;

  /** Frees while somebody waited; guarded by this object's monitor. */
  private long returns;

  MemoryFreedCondition(AllocatorLock lock) {
    this.lock = lock;
  }

  /** Memory was freed. Costs one test while nobody waits. */
  void signal() {
    if (waiting > 0) {
      wake();
    }
  }

  private synchronized void wake() {
    returns++;
    notifyAll();
  }

  private synchronized long returns() {
    return returns;
  }

  /** Waits for the next free, but no longer than this. */
  void await(long micros) throws InterruptedException {
    // Counted before the lock is let go, so that no free between the two is missed.
    long before = returns();
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
    while (returns == before && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadlineNanos - System.nanoTime();
    }
  }
}
