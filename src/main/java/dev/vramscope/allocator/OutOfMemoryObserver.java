package dev.vramscope.allocator;

/** Notified of a failed request before the exception is thrown, outside the allocator's lock. */
@FunctionalInterface
public interface OutOfMemoryObserver {
  /**
   * A request failed.
   *
   * @param device the device's number
   * @param segmentBytes the size of the segment requested from the device
   * @param limitBytes the memory that the allocator may use: the device's total, or the configured
   *     fraction of it
   * @param deviceFreeBytes the device's free memory
   */
  void outOfMemory(int device, long segmentBytes, long limitBytes, long deviceFreeBytes);
}
