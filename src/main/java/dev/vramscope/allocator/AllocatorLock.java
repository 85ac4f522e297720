package dev.vramscope.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock of an allocator: reentrant, not fair, and made for being free nearly always, and held
 * for less than a microsecond otherwise.
 *
 * <p>Taking a free lock is one compare-and-set, and giving it back one plain store with release
 * order: half the atomic instructions of {@link java.util.concurrent.locks.ReentrantLock}, each of
 * which waits for all stores before it. The price is that nobody is woken up. Who finds the lock
 * taken tries again for a moment, and from then on sleeps between tries, {@link
 * #LONGEST_PAUSE_NANOS} at most.
 */
public final class AllocatorLock {
  private static final VarHandle OWNER = ownerHandle();
  private static final long NOBODY = 0;
  private static final int TRIES_WITHOUT_PAUSE = 128;
  private static final long FIRST_PAUSE_NANOS = 1_000;
  private static final long LONGEST_PAUSE_NANOS = 64_000;

  /** The id of the thread that holds the lock, or {@link #NOBODY}; thread ids are positive. */
  private volatile long owner;

  /** How often the owner took it once more; only the owner looks at it. */
  private int depth;

  private static VarHandle ownerHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(AllocatorLock.class, "owner", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes the lock; waits as long as another thread holds it, interrupted or not. */
  public void lock() {
    long me = Thread.currentThread().threadId();
    if (!OWNER.compareAndSet(this, NOBODY, me)) {
      lockTaken(me);
    }
  }

  /** Gives the lock back, which this thread holds, unless it took it more often. */
  public void unlock() {
    if (depth > 0) {
      depth--;
    } else {
      OWNER.setRelease(this, NOBODY);
    }
  }

  /** Whether this thread holds the lock. */
  public boolean isHeld() {
    return owner == Thread.currentThread().threadId();
  }

  private void lockTaken(long me) {
    if (isHeld()) {
      depth++;
      return;
    }
    for (int i = 0; i < TRIES_WITHOUT_PAUSE; i++) {
      if (tryLock(me)) {
        return;
      }
      Thread.onSpinWait();
    }
    lockWithPauses(me);
  }

  private boolean tryLock(long me) {
    return owner == NOBODY && OWNER.compareAndSet(this, NOBODY, me);
  }

  private void lockWithPauses(long me) {
    // An interrupted thread does not sleep, so the interrupt is put off.
    boolean interrupted = false;
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (!tryLock(me)) {
      LockSupport.parkNanos(this, pauseNanos);
      interrupted |= Thread.interrupted();
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
