package dev.vramscope.live.workload;

/** Tells a run's thread to end. */
final class StopSignal {
  /** Ends a step in its middle. It is thrown on purpose, so it has no stack. */
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
