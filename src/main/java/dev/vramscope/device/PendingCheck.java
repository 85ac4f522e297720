package dev.vramscope.device;

/** A check that is enqueued in a stream. */
public interface PendingCheck {
  /** Whether {@link #result} would return without waiting. */
  boolean isDone();

  /** Waits until the stream has executed the check, and returns its result. */
  CheckResult result();
}
