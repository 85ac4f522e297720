package dev.vramscope.live.workload;

/** Requests that the thread of a run stops. */
final class StopSignal {
  /** Aborts a step. It is used for control flow, so it has no stack trace. */
  static final class Raised extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Raised() {
      super("stopped", null, /* enableSuppression= */ true, /* writableStackTrace= */ false);
    }
  }

  private volatile boolean raised;

  void raise() {
    raised = true;
  }

  boolean isRaised() {
    return raised;
  }

  void check() {
    if (raised) {
      throw new Raised();
    }
  }
}
