package dev.vramscope.allocator;

/**
 * Hears what an allocator does, in order, under its lock. A listener should take nanoseconds; it
 * delays every user of the allocator by what it takes, and must not wait for any of them.
 *
 * <p>It must not throw. One that does hears nothing more, and its exception goes to the thread's
 * {@link Thread.UncaughtExceptionHandler}; the operation goes on as if it had not been there.
 *
 * <p>{@code pool} is a small number; the allocator tells its name.
 */
public interface AllocatorListener {
  /** Any event but a failed request and an annotation. */
  void event(AllocatorEvent event, long address, long bytes, int stream, int pool);

  /**
   * Told just before the {@link AllocatorEvent#ALLOC} of the same address.
   *
   * @param blockBytes how much of its segment the block takes: what was asked for, rounded up, and
   *     what was not worth splitting off
   */
  default void handedOut(long address, long blockBytes) {}

  /** A freed block stays active until this stream is done with it. */
  default void waiting(long address, int stream) {}

  /** A stream that a freed block waited for is done with it. */
  default void waited(long address, int stream) {}

  /**
   * A request failed.
   *
   * @param bytes the rounded size
   * @param deviceFreeBytes what the device had free
   */
  void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool);

  /** A client attached a text to an allocated block; see {@link AllocatorEvent#ANNOTATE}. */
  default void annotated(long address, long bytes, int stream, int pool, String text) {}

  /** The events up to {@link #endOperation} are steps of one thing that a client asked for. */
  default void beginOperation(String name) {}

  default void endOperation() {}

  /**
   * The state that {@link Allocator#visitSegments} will show was taken: every event so far led to
   * it, every later one came after.
   */
  default void stateTaken() {}
}
