package dev.vramscope.whatif;

import java.time.Duration;
import java.util.concurrent.CancellationException;

/** The progress of a replay, which another thread may read and cancel. Thread-safe. */
public final class Progress {
  private final Duration limit;
  private final long startNanos = System.nanoTime();
  private volatile int operations;
  private volatile boolean cancelled;

  /** A replay that may take as long as {@link ReplayLimits#DEFAULT} allows. */
  public Progress() {
    this(ReplayLimits.DEFAULT.time());
  }

  /** A replay that ends with a {@link ReplayLimitException} when it takes longer. */
  public Progress(Duration limit) {
    this.limit = limit;
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
    return System.nanoTime() - startNanos > limit.toNanos();
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
      throw new CancellationException("The replay was cancelled.");
    }
    if (isOver()) {
      throw new ReplayLimitException(
          "The replay took more than "
              + limit.toSeconds()
              + " seconds and was ended at operation "
              + operations
              + ".");
    }
  }
}
