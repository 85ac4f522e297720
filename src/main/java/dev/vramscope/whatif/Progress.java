package dev.vramscope.whatif;

import java.util.concurrent.CancellationException;

/** The progress of a replay, which another thread may read and cancel. Thread-safe. */
public final class Progress {
  private volatile int operations;
  private volatile boolean cancelled;

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

  /**
   * Reports progress, every few thousand operations.
   *
   * @throws CancellationException if the replay was cancelled
   */
  void reached(int operation) {
    operations = operation;
    if (cancelled) {
      throw new CancellationException("The replay was cancelled.");
    }
  }
}
