package dev.vramscope.recorder;

/**
 * A scope that a thread has opened, and must close. Closing it also closes the scopes inside it
 * that are still open.
 */
public final class RecordedScope implements AutoCloseable {
  private final RecordedThread thread;
  private final int depth;

  RecordedScope(RecordedThread thread, int depth) {
    this.thread = thread;
    this.depth = depth;
  }

  @Override
  public void close() {
    thread.closeTo(depth);
  }
}
