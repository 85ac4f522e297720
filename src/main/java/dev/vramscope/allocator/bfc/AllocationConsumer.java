package dev.vramscope.allocator.bfc;

/** Is told what an allocated block got. */
@FunctionalInterface
public interface AllocationConsumer {
  /**
   * Takes the figures of one block.
   *
   * @param bytes the size of its chunk: at least what was asked for
   * @param allocationId the how manieth allocation it is, from 1
   */
  void accept(long address, long bytes, long allocationId);
}
