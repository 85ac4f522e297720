package dev.vramscope.allocator;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Lincheck runs the operations in all orders of memory accesses that its bounds allow, and reports
 * results that no sequential order explains, deadlocks, and waits that never end.
 */
public class AllocatorLockModelTest {
  /** With the limits of production, no explored execution would reach the queue. */
  private final AllocatorLock lock = new AllocatorLock(1, 1);

  /** Guarded by the lock; neither atomic nor volatile. */
  private long count;

  @Operation
  public long increment() {
    lock.lock();
    try {
      return ++count;
    } finally {
      lock.unlock();
    }
  }

  @Operation
  public long incrementTwiceReentrantly() {
    lock.lock();
    try {
      increment();
      return increment();
    } finally {
      lock.unlock();
    }
  }

  @Operation
  public boolean isHeldOutside() {
    return lock.isHeld();
  }

  @Test
  void criticalSectionsAreLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .iterations(6)
        .invocationsPerIteration(200)
        .check(AllocatorLockModelTest.class);
  }
}
