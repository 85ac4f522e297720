package dev.vramscope.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of an allocator: reentrant, and optimised for being uncontended nearly always and held
 * for less than a microsecond otherwise.
 *
 * <p>Acquiring the free lock is one compare-and-set, and releasing it one plain store with release
 * order: half the atomic instructions of {@link ReentrantLock}, each of which waits for all earlier
 * stores. The price is that waiting threads are not woken up. A thread that finds the lock held
 * spins briefly and then sleeps between attempts, for at most {@link #LONGEST_PAUSE_NANOS}.
 *
 * <p>A thread that acquires the lock again and again could therefore starve sleeping threads. So a
 * thread that has slept {@link #PAUSES_BEFORE_QUEUE} times without success joins a fair queue, and
 * the lock is reserved for the thread at the head of the queue: while a reservation exists, no
 * other thread acquires the lock, even when it is free. {@code docs/decisions/0009} has the
 * measurements.
 */
public final class AllocatorLock {
  private static final VarHandle OWNER = handleOf("owner");
  private static final VarHandle RESERVED_FOR = handleOf("reservedFor");
  private static final long NO_THREAD = 0;
  private static final int SPINS = 128;
  private static final long FIRST_PAUSE_NANOS = 1_000;
  private static final long LONGEST_PAUSE_NANOS = 64_000;
  private static final int PAUSES_BEFORE_QUEUE = 8;

  /** The id of the thread that holds the lock, or {@link #NO_THREAD}; thread ids are positive. */
  private volatile long owner;

  /** The id of the only thread that may acquire the lock; {@link #NO_THREAD} if any may. */
  private volatile long reservedFor;

  private final int spins;
  private final int pausesBeforeQueue;

  /** Orders the threads that slept without success. Its holder owns the reservation. */
  private final ReentrantLock queue = new ReentrantLock(true);

  /** The number of nested acquisitions; accessed by the owner only. */
  private int depth;

  public AllocatorLock() {
    this(SPINS, PAUSES_BEFORE_QUEUE);
  }

  /** For tests, where a waiting thread must join the queue sooner. */
  AllocatorLock(int spins, int pausesBeforeQueue) {
    this.spins = spins;
    this.pausesBeforeQueue = pausesBeforeQueue;
  }

  private static VarHandle handleOf(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(AllocatorLock.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Acquires the lock; waits while another thread holds it, even if interrupted. */
  public void lock() {
    long me = Thread.currentThread().threadId();
    // Reading an outdated reservation lets this thread pass once, not repeatedly: opaque is enough.
    if ((long) RESERVED_FOR.getOpaque(this) != NO_THREAD
        || !OWNER.compareAndSet(this, NO_THREAD, me)) {
      lockContended(me);
    }
  }

  /** Releases one acquisition of the lock by this thread. */
  public void unlock() {
    assert isHeld() : "The lock is not held by the thread that unlocks it: " + caller();
    if (depth > 0) {
      depth--;
    } else {
      OWNER.setRelease(this, NO_THREAD);
    }
  }

  private static String caller() {
    return Thread.currentThread().getName();
  }

  /** Whether this thread holds the lock. */
  public boolean isHeld() {
    return owner == Thread.currentThread().threadId();
  }

  private void lockContended(long me) {
    if (isHeld()) {
      depth++;
      return;
    }
    for (int i = 0; i < spins; i++) {
      if (tryLock(me)) {
        return;
      }
      Thread.onSpinWait();
    }
    if (!lockWithPauses(me, pausesBeforeQueue)) {
      lockThroughQueue(me);
    }
  }

  private boolean tryLock(long me) {
    long next = reservedFor;
    return (next == NO_THREAD || next == me)
        && owner == NO_THREAD
        && OWNER.compareAndSet(this, NO_THREAD, me);
  }

  private boolean lockWithPauses(long me, long pauses) {
    // parkNanos returns immediately in an interrupted thread, so the interrupt is deferred.
    boolean interrupted = false;
    boolean acquired = tryLock(me);
    long pauseNanos = FIRST_PAUSE_NANOS;
    for (long i = 0; i < pauses && !acquired; i++) {
      LockSupport.parkNanos(this, pauseNanos);
      interrupted |= Thread.interrupted();
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      acquired = tryLock(me);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return acquired;
  }

  private void lockThroughQueue(long me) {
    queue.lock();
    try {
      reservedFor = me;
      lockWithPauses(me, Long.MAX_VALUE);
      reservedFor = NO_THREAD;
    } finally {
      queue.unlock();
    }
  }

  /** Asks with the lock held. Not for the hot path, because a closure has a small cost. */
  public <T extends @Nullable Object> T during(Supplier<T> query) {
    lock();
    try {
      return query.get();
    } finally {
      unlock();
    }
  }

  /** Changes something with the lock held. */
  public void during(Runnable change) {
    lock();
    try {
      change.run();
    } finally {
      unlock();
    }
  }
}
