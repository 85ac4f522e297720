package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Spreads events evenly over time. A sleep may take longer than requested; the events after it are
 * then not delayed until the pacer has caught up, by at most {@link #MAX_BURST_NANOS}.
 */
final class Pacer {
  private static final long MIN_SLEEP_NANOS = 500_000;
  private static final long MAX_BURST_NANOS = 5_000_000;

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final LongConsumer sleep;
  private long nextNanos;

  /**
   * Creates a pacer.
   *
   * @param operationsPerSecond the maximum rate; 0 for no limit
   */
  Pacer(int operationsPerSecond) {
    this(operationsPerSecond, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * Creates a pacer with this clock.
   *
   * @param sleep waits for at most this number of nanoseconds
   */
  Pacer(int operationsPerSecond, LongSupplier nanoTime, LongConsumer sleep) {
    this.nanoTime = nanoTime;
    this.sleep = sleep;
    nextNanos = nanoTime.getAsLong();
    intervalNanos =
        operationsPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / operationsPerSecond;
  }

  /** The interval between two events; 0 for no limit. */
  long intervalNanos() {
    return intervalNanos;
  }

  /**
   * Waits until the next event is allowed, or until the thread is unparked.
   *
   * @param beforeSleep is called before the thread sleeps
   */
  void await(Runnable beforeSleep) {
    if (intervalNanos == 0) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (nextNanos - now > MIN_SLEEP_NANOS) {
      beforeSleep.run();
      sleep.accept(nextNanos - now);
    }
    nextNanos = Math.max(nextNanos, now - MAX_BURST_NANOS) + intervalNanos;
  }
}
