package dev.vramscope.allocator;

import dev.vramscope.model.TraceAction;

/**
 * Receives the events of an allocator, in order, under the allocator's lock. A callback should take
 * nanoseconds: it delays every thread that uses the allocator, and must not wait for any of them.
 *
 * <p>A callback must not throw. A listener that does is removed, and its exception is passed to the
 * thread's {@link Thread.UncaughtExceptionHandler}; the operation continues.
 *
 * <p>{@code pool} is a small number; {@link AllocatorInspection#poolId} has its identifier.
 */
public interface AllocatorListener {
  /**
   * Any event except a failed request and an annotation.
   *
   * @param bytes as described for the action in {@link TraceAction}
   */
  void event(TraceAction action, long address, long bytes, int stream, int pool);

  /**
   * Called just before the {@link TraceAction#ALLOC} of the same address.
   *
   * @param blockBytes the size of the block: the requested size, rounded up, plus a remainder too
   *     small to be split off
   */
  default void blockAllocated(long address, long blockBytes) {}

  /** A freed block stays active until the work of this stream has completed. */
  default void freePending(long address, int stream) {}

  /** The work of a stream that a freed block was waiting for has completed. */
  default void freeCompleted(long address, int stream) {}

  /**
   * A request failed.
   *
   * @param bytes the rounded size
   * @param deviceFreeBytes the device's free memory
   */
  void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool);

  /**
   * A step of a request that the first search of the free blocks did not serve; an allocator
   * without a cache does not search. It is reported when it ends, before the event of the
   * allocation or of the failure.
   *
   * @param isEnough whether the step served the request, or made it worth trying again
   * @param bytes what was searched for, acquired, compared or released
   */
  default void requestStep(RequestStep step, boolean isEnough, long bytes) {}

  /** A client attached a text to an allocated block; see {@link TraceAction#ANNOTATE}. */
  default void annotated(long address, long bytes, int stream, int pool, String text) {}

  /** The events up to {@link #endOperation} belong to one operation requested by a client. */
  default void beginOperation(String name) {}

  default void endOperation() {}

  /**
   * The state that {@link AllocatorInspection#visitSegments} is about to return was captured: it
   * includes the effect of every earlier event and of no later one.
   */
  default void stateCaptured() {}
}
