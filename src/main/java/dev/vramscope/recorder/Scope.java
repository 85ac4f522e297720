package dev.vramscope.recorder;

/**
 * A scope that a thread has opened. Closing it closes what the thread opened inside it and did not
 * close. To be closed by the thread that opened it.
 */
public final class Scope implements AutoCloseable {
  private final ThreadContext thread;
  private final int depth;

  Scope(ThreadContext thread, int depth) {
    this.thread = thread;
    this.depth = depth;
  }

  @Override
  public void close() {
    thread.closeTo(depth);
  }
}
