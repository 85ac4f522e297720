package dev.vramscope.allocator.bfc;

/** Receives the details of an allocated block, without creating objects. */
@FunctionalInterface
public interface AllocationConsumer {
  /**
   * Receives one block.
   *
   * @param bytes the size of its chunk: at least the requested size
   * @param allocationId sequence number of the allocation, from 1
   */
  void accept(long address, long bytes, long allocationId);
}
