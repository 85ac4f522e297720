package dev.vramscope.work;

import java.time.Duration;

/** A task was not started: too many others wait before it. */
public final class WorkBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Estimates from few tasks are rough. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Duration expectedWait;

  /**
   * @param position of the task among those of its kind that wait, from 1
   * @param expectedWait until it would begin
   */
  WorkBusyException(WorkKind kind, int position, Duration expectedWait) {
    super(
        "Other "
            + kind.label()
            + " are computed; this request has place "
            + position
            + " of those that wait, and would begin in about "
            + atLeast(expectedWait).toSeconds()
            + " s");
    this.expectedWait = expectedWait;
  }

  /** When to try again, in whole seconds: an estimate from the tasks so far. */
  public Duration retryAfter() {
    Duration wait = atLeast(expectedWait);
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  private static Duration atLeast(Duration wait) {
    Duration rounded = Duration.ofSeconds(Math.ceilDiv(wait.toMillis(), 1000));
    return rounded.compareTo(SHORTEST) < 0 ? SHORTEST : rounded;
  }
}
