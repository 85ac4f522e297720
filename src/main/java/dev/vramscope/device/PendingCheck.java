package dev.vramscope.device;

/** The answer of a check, once its stream has come to it. */
public interface PendingCheck {
  /** Whether {@link #result} would answer at once. */
  boolean isDone();

  /** Waits for the stream to come this far. */
  CheckResult result();
}
