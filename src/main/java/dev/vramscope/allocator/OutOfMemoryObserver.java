package dev.vramscope.allocator;

/** Is told of a failed request before its caller is, outside the allocator's lock. */
@FunctionalInterface
public interface OutOfMemoryObserver {
  /**
   * A request failed.
   *
   * @param device the device's number
   * @param segmentBytes what was asked of the device
   * @param limitBytes what the allocator may use: the device's total, or less by a memory fraction
   * @param deviceFreeBytes what the device had free
   */
  void outOfMemory(int device, long segmentBytes, long limitBytes, long deviceFreeBytes);
}
