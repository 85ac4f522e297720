package dev.vramscope.whatif;

import java.time.Duration;
import java.util.concurrent.CancellationException;

/**
 * The progress of a replay, or of all replays of one question, which another thread may read and
 * cancel. Thread-safe.
 */
public final class Progress {
  private static final long NOT_STARTED = Long.MIN_VALUE;

  private final String work;
  private final Duration limit;
  private final Runnable pause;
  private volatile long startNanos = NOT_STARTED;
  private volatile long pausedNanos;
  private volatile int operations;
  private volatile boolean cancelled;

  /** A replay that may take as long as {@link ReplayLimits#DEFAULT} allows. */
  public Progress() {
    this(ReplayLimits.DEFAULT.time());
  }

  /** A replay that ends with a {@link ReplayLimitException} when it takes longer. */
  public Progress(Duration limit) {
    this(limit, () -> {});
  }

  /**
   * A replay that pauses between its parts.
   *
   * @param pause may wait, which does not count for the limit, or throw to end the replay
   */
  public Progress(Duration limit, Runnable pause) {
    this("replay", limit, pause);
  }

  private Progress(String work, Duration limit, Runnable pause) {
    this.work = work;
    this.limit = limit;
    this.pause = pause;
  }

  /**
   * Many replays that together may take a time.
   *
   * @param work what they are for, such as {@code plan}
   * @param pause may wait, which does not count for the limit, or throw to end the work
   */
  public static Progress ofAll(String work, Duration limit, Runnable pause) {
    return new Progress(work, limit, pause);
  }

  /** The operations of the recorded run that were replayed so far. */
  public int operations() {
    return operations;
  }

  /** Ends the replay soon, with a {@link CancellationException}. */
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }

  /** Whether it takes longer than allowed. */
  boolean isOver() {
    long now = System.nanoTime();
    if (startNanos == NOT_STARTED) {
      startNanos = now;
    }
    return now - startNanos - pausedNanos > limit.toNanos();
  }

  /**
   * Reports progress, every few thousand operations.
   *
   * @throws CancellationException if the replay was cancelled
   * @throws ReplayLimitException if it takes too long
   */
  void reached(int operation) {
    operations = operation;
    check();
  }

  /**
   * Called by work that takes a while, between its parts.
   *
   * @throws CancellationException if it was cancelled
   * @throws ReplayLimitException if it takes too long
   */
  public void check() {
    if (cancelled) {
      throw new CancellationException("The " + work + " was cancelled.");
    }
    long begin = System.nanoTime();
    if (startNanos == NOT_STARTED) {
      startNanos = begin;
    }
    pause.run();
    addPaused(System.nanoTime() - begin);
    if (isOver()) {
      throw new ReplayLimitException(
          "The " + work + " took more than " + limit.toSeconds() + " seconds and was ended.");
    }
  }

  private synchronized void addPaused(long nanos) {
    pausedNanos += nanos;
  }
}
