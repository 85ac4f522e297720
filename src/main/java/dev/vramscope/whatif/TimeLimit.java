package dev.vramscope.whatif;

import java.time.Duration;

/**
 * The time that several replays may take together, from the moment when this was made.
 *
 * @param endNanos in the time of {@link System#nanoTime}
 */
public record TimeLimit(long endNanos) {
  public static TimeLimit of(Duration atMost) {
    return new TimeLimit(System.nanoTime() + atMost.toNanos());
  }

  /** The progress of the next replay, which ends when this time is over or its own is. */
  public Progress progress() {
    Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    Duration own = ReplayLimits.DEFAULT.time();
    return new Progress(left.compareTo(own) < 0 ? left : own);
  }

  /** Whether the time is over. */
  public boolean isOver() {
    return System.nanoTime() - endNanos > 0;
  }
}
