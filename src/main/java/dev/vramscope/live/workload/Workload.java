package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * A program that uses device memory. Each run has its own instance, which only the thread of the
 * run uses.
 */
interface Workload extends AutoCloseable {
  /**
   * Executes one iteration.
   *
   * @throws dev.vramscope.allocator.OutOfDeviceMemoryException if a request ran out of memory; the
   *     step may be repeated
   */
  void step(WorkloadContext context);

  /** The number of steps, or 0 if unlimited. */
  default long stepCount() {
    return 0;
  }

  /** Whether the requested memory was available; null if the workload does not determine that. */
  default @Nullable MemoryVerdict verdict() {
    return null;
  }

  /** Releases resources of the workload. All its blocks are already freed. */
  @Override
  default void close() {}
}
