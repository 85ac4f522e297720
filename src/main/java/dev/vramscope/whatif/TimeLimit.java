package dev.vramscope.whatif;

import dev.vramscope.work.HeavyWork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time that several replays may take together, from the moment when this was made, without that
 * for which they gave way to other work. Thread-safe.
 */
public final class TimeLimit {
  private final long startNanos = System.nanoTime();
  private final Duration atMost;
  private final AtomicLong pausedNanos = new AtomicLong();

  private TimeLimit(Duration atMost) {
    this.atMost = atMost;
  }

  public static TimeLimit of(Duration atMost) {
    return new TimeLimit(atMost);
  }

  /** The progress of the next replay, which ends when this time is over or its own is. */
  public Progress progress() {
    Duration left = Duration.ofNanos(Math.max(0, leftNanos()));
    Duration own = ReplayLimits.DEFAULT.time();
    return new Progress(left.compareTo(own) < 0 ? left : own, this::giveWay);
  }

  private void giveWay() {
    long begin = System.nanoTime();
    HeavyWork.checkpoint();
    pausedNanos.addAndGet(System.nanoTime() - begin);
  }

  /** Whether the time is over. */
  public boolean isOver() {
    return leftNanos() < 0;
  }

  private long leftNanos() {
    return atMost.toNanos() - (System.nanoTime() - startNanos - pausedNanos.get());
  }
}
