package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Spreads events evenly over time. Sleeping is not exact, so a pacer sleeps a little too long and
 * lets a few events follow at once; more than {@link #LONGEST_BURST_NANOS} of them are never caught
 * up on.
 */
final class Pacer {
  private static final long SHORTEST_SLEEP_NANOS = 500_000;
  private static final long LONGEST_BURST_NANOS = 5_000_000;

  private final long intervalNanos;
  private long nextNanos = System.nanoTime();

  /**
   * A pacer.
   *
   * @param eventsPerSecond at most; 0 for no limit
   */
  Pacer(int eventsPerSecond) {
    intervalNanos = eventsPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / eventsPerSecond;
  }

  /** From one event to the next; 0 for no limit. */
  long intervalNanos() {
    return intervalNanos;
  }

  /** Waits for the next event's time; shorter if the thread is unparked. */
  void await() {
    if (intervalNanos == 0) {
      return;
    }
    long now = System.nanoTime();
    if (nextNanos - now > SHORTEST_SLEEP_NANOS) {
      LockSupport.parkNanos(this, nextNanos - now);
    }
    nextNanos = Math.max(nextNanos, now - LONGEST_BURST_NANOS) + intervalNanos;
  }
}
