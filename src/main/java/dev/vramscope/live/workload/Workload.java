package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/** A program that uses device memory, made anew for each run and used by its thread only. */
interface Workload extends AutoCloseable {
  /**
   * Does one iteration.
   *
   * @throws dev.vramscope.allocator.OutOfDeviceMemoryException if there is no room; the step may be
   *     called again
   */
  void step(WorkloadContext context);

  /** How many steps there are, or 0 for no end. */
  default long stepCount() {
    return 0;
  }

  /** Whether the memory that it asked for was there; null when that is not its question. */
  default @Nullable MemoryVerdict verdict() {
    return null;
  }

  /** Takes its leave of the allocator; no block of it is allocated any more. */
  @Override
  default void close() {}
}
