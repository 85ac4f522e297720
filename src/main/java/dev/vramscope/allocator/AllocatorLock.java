package dev.vramscope.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of an allocator: reentrant, made for being free nearly always, and held for less than a
 * microsecond otherwise.
 *
 * <p>Taking a free lock is one compare-and-set, and giving it back one plain store with release
 * order: half the atomic instructions of {@link ReentrantLock}, each of which waits for all stores
 * before it. The price is that nobody is woken up. Who finds the lock taken tries again for a
 * moment, and from then on sleeps between tries, {@link #LONGEST_PAUSE_NANOS} at most.
 *
 * <p>So a thread that takes the lock again and again could keep sleepers out for ever. Who slept
 * {@link #PAUSES_BEFORE_QUEUE} times in vain therefore queues up, and the first of the queue is the
 * <b>heir</b>: as long as there is one, nobody else takes the lock, however often it is free.
 * {@code docs/decisions/0009} has the numbers.
 */
public final class AllocatorLock {
  private static final VarHandle OWNER = handleOf("owner");
  private static final VarHandle HEIR = handleOf("heir");
  private static final long NOBODY = 0;
  private static final int TRIES_WITHOUT_PAUSE = 128;
  private static final long FIRST_PAUSE_NANOS = 1_000;
  private static final long LONGEST_PAUSE_NANOS = 64_000;
  private static final int PAUSES_BEFORE_QUEUE = 8;

  /** The id of the thread that holds the lock, or {@link #NOBODY}; thread ids are positive. */
  private volatile long owner;

  /** The id of the only thread that may take the lock next; {@link #NOBODY} if any may. */
  private volatile long heir;

  /** Those who waited in vain, in the order of their coming. Its holder is the heir. */
  private final ReentrantLock queue = new ReentrantLock(true);

  /** How often the owner took it once more; only the owner looks at it. */
  private int depth;

  private static VarHandle handleOf(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(AllocatorLock.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes the lock; waits as long as another thread holds it, interrupted or not. */
  public void lock() {
    long me = Thread.currentThread().threadId();
    // An heir that is seen late is passed once, not again and again: no ordering is needed.
    if ((long) HEIR.getOpaque(this) != NOBODY || !OWNER.compareAndSet(this, NOBODY, me)) {
      lockTaken(me);
    }
  }

  /** Gives the lock back, which this thread holds, unless it took it more often. */
  public void unlock() {
    assert isHeld() : "A lock is given back by the thread that holds it, not by " + caller();
    if (depth > 0) {
      depth--;
    } else {
      OWNER.setRelease(this, NOBODY);
    }
  }

  private static String caller() {
    return Thread.currentThread().getName();
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
    if (!lockWithPauses(me, PAUSES_BEFORE_QUEUE)) {
      lockAsHeir(me);
    }
  }

  private boolean tryLock(long me) {
    long next = heir;
    return (next == NOBODY || next == me)
        && owner == NOBODY
        && OWNER.compareAndSet(this, NOBODY, me);
  }

  private boolean lockWithPauses(long me, long pauses) {
    // An interrupted thread does not sleep, so the interrupt is put off.
    boolean interrupted = false;
    boolean taken = tryLock(me);
    long pauseNanos = FIRST_PAUSE_NANOS;
    for (long i = 0; i < pauses && !taken; i++) {
      LockSupport.parkNanos(this, pauseNanos);
      interrupted |= Thread.interrupted();
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      taken = tryLock(me);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return taken;
  }

  private void lockAsHeir(long me) {
    queue.lock();
    try {
      heir = me;
      lockWithPauses(me, Long.MAX_VALUE);
      heir = NOBODY;
    } finally {
      queue.unlock();
    }
  }
}
