package dev.vramscope.work;

/** A task ended early because nobody waits for its result any more. */
public final class WorkCancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WorkCancelledException() {
    super("The request was cancelled: its client left, or the server is stopping");
  }
}
