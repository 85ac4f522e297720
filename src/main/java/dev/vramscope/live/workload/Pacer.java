package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Spreads events evenly over time. Sleeping is not exact, so a pacer sleeps a little too long and
 * lets a few events follow at once; more than {@link #LONGEST_BURST_NANOS} of them are never caught
 * up on.
 */
final class Pacer {
  private static final long SHORTEST_SLEEP_NANOS = 500_000;
  private static final long LONGEST_BURST_NANOS = 5_000_000;

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final LongConsumer sleep;
  private long nextNanos;

  /**
   * A pacer.
   *
   * @param eventsPerSecond at most; 0 for no limit
   */
  Pacer(int eventsPerSecond) {
    this(eventsPerSecond, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * A pacer with the given clock.
   *
   * @param sleep waits for a number of nanoseconds, or less
   */
  Pacer(int eventsPerSecond, LongSupplier nanoTime, LongConsumer sleep) {
    this.nanoTime = nanoTime;
    this.sleep = sleep;
    nextNanos = nanoTime.getAsLong();
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
    long now = nanoTime.getAsLong();
    if (nextNanos - now > SHORTEST_SLEEP_NANOS) {
      sleep.accept(nextNanos - now);
    }
    nextNanos = Math.max(nextNanos, now - LONGEST_BURST_NANOS) + intervalNanos;
  }
}
