package dev.vramscope.live.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The processor cores that runs may use together, so that the others serve pages. Runs take turns:
 * a run that has used its slice lets the one that has used least time continue. A run alone never
 * waits, and its time alone does not count later.
 *
 * <p>A run that does not pass for {@link #BLOCKED_NANOS}, because it waits for the device or for
 * memory that another run has to free, loses its core and waits for one when it continues.
 */
final class CoreShare {
  static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  static final long BLOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Lets a paced run, which sleeps most of the time, continue before those at full speed. */
  private static final long BONUS_NANOS = 4 * SLICE_NANOS;

  private static final long NOT_WAITING = Long.MIN_VALUE;

  private final int cores;
  final ReentrantLock lock = new ReentrantLock();
  private final List<Turn> running = new ArrayList<>();
  private final List<Turn> queue = new ArrayList<>();

  /** Whether a run is in the queue. Runs read it without the lock. */
  private volatile boolean contended;

  /**
   * The least used time of the runs that were active when a run last began to wait; it never falls.
   * Runs that begin to wait are at most {@link #BONUS_NANOS} below it, because they are new or
   * slept, and at most {@link #BLOCKED_NANOS} above it, because they had a core that nobody else
   * needed.
   */
  private long usedFloor;

  CoreShare(int cores) {
    if (cores < 1) {
      throw new IllegalArgumentException("cores: " + cores);
    }
    this.cores = cores;
  }

  /** All cores of this machine but one, and at least one. */
  static CoreShare ofMachine() {
    return new CoreShare(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  /** Creates the turns of one run. A run for which {@code stopped} is true no longer waits. */
  Turn turn(BooleanSupplier stopped) {
    return new Turn(stopped);
  }

  /** The state of one run. Its methods are called by the thread of the run. */
  final class Turn {
    private final BooleanSupplier stopped;
    private final Condition changed = lock.newCondition();

    /** Written under the lock, also by other threads. */
    private volatile boolean granted;

    private volatile long sliceStart;
    private long usedNanos;
    private long waitedNanos;
    private long waitingSince = NOT_WAITING;

    private Turn(BooleanSupplier stopped) {
      this.stopped = stopped;
    }

    /** Continues if this run has a core, or waits for one. Called between two operations. */
    void pass() {
      if (granted && !(contended && System.nanoTime() - sliceStart >= SLICE_NANOS)) {
        return;
      }
      if (!stopped.getAsBoolean()) {
        await();
      }
    }

    /** Gives up the core, before a wait. */
    void release() {
      lock.lock();
      try {
        end(this);
        grant();
      } finally {
        lock.unlock();
      }
    }

    /** The time that this run has waited for a core, including a wait that has not ended. */
    long waitedNanos() {
      lock.lock();
      try {
        long waiting = waitingSince == NOT_WAITING ? 0 : System.nanoTime() - waitingSince;
        return waitedNanos + waiting;
      } finally {
        lock.unlock();
      }
    }

    private long usedUntil(long now) {
      return granted ? usedNanos + now - sliceStart : usedNanos;
    }

    private void await() {
      long start = System.nanoTime();
      lock.lock();
      try {
        raiseFloor(start);
        end(this);
        usedNanos = Math.clamp(usedNanos, usedFloor - BONUS_NANOS, usedFloor + BLOCKED_NANOS);
        waitingSince = start;
        while (!granted && !stopped.getAsBoolean()) {
          if (!queue.contains(this)) {
            queue.add(this); // Also if it got a core and lost it before this thread continued.
          }
          grant();
          if (!granted && changed.awaitNanos(BLOCKED_NANOS) <= 0) {
            endBlocked();
          }
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt(); // The run continues without a core.
      } finally {
        queue.remove(this);
        contended = !queue.isEmpty();
        waitedNanos += System.nanoTime() - start;
        waitingSince = NOT_WAITING;
        lock.unlock();
      }
    }
  }

  private void raiseFloor(long now) {
    Stream.concat(running.stream(), queue.stream())
        .mapToLong(turn -> turn.usedUntil(now))
        .min()
        .ifPresent(least -> usedFloor = Math.max(usedFloor, least));
  }

  private void end(Turn turn) {
    if (turn.granted) {
      turn.usedNanos = turn.usedUntil(System.nanoTime());
      turn.granted = false;
      running.remove(turn);
    }
  }

  /** Takes the cores of runs that did not pass for long. Called with the lock. */
  void endBlocked() {
    long now = System.nanoTime();
    List<Turn> blocked =
        running.stream().filter(turn -> now - turn.sliceStart >= BLOCKED_NANOS).toList();
    blocked.forEach(this::end);
  }

  private void grant() {
    while (running.size() < cores && !queue.isEmpty()) {
      Turn next = queue.stream().min(Comparator.comparingLong(turn -> turn.usedNanos)).get();
      queue.remove(next);
      running.add(next);
      next.sliceStart = System.nanoTime();
      next.granted = true;
      next.changed.signal();
    }
    contended = !queue.isEmpty();
  }
}
