package dev.vramscope.allocator;

/**
 * Allocates blocks of device memory. A decorator implements these methods only; {@link #inspect()}
 * answers everything else.
 */
public interface Allocator {
  /** The handle that a request for 0 bytes gets. It names no block. */
  long NO_BLOCK = 0;

  /**
   * Allocates a block for work on a stream.
   *
   * @param bytes from 0 (which gets {@link #NO_BLOCK}) to 2^62
   * @param stream the stream whose work may use the block without {@link #recordStream}
   * @return the block's handle
   * @throws OutOfDeviceMemoryException if neither the cache nor the device can serve the request
   */
  long allocate(long bytes, int stream);

  /**
   * Frees an allocated block. {@link #NO_BLOCK} is allowed and does nothing.
   *
   * @throws IllegalArgumentException if the handle names no allocated block
   */
  void free(long block);

  /**
   * The address of an allocated block; 0 for {@link #NO_BLOCK}. Does not take the allocator's lock.
   *
   * @throws IllegalArgumentException if the handle names no allocated block; not guaranteed while
   *     another thread frees the block
   */
  long address(long block);

  /**
   * Adds a stream whose work uses the block: after {@code free} the block stays active until the
   * work queued on this stream by then has completed.
   */
  void recordStream(long block, int stream);

  /** Releases unused cached memory to the device. */
  void emptyCache();

  /** Read access to this allocator's state, statistics and events. */
  AllocatorInspection inspect();
}
