package dev.vramscope.device;

/**
 * Where an allocator that carves memory itself gets it from; named as in XLA. The caller's lock
 * guards all calls.
 */
public interface SubAllocator {
  /**
   * Takes contiguous memory; it may be more than was asked for, see {@link #bytesAt}.
   *
   * @param alignment a power of two; a source may ignore it, as those of real GPUs do
   * @return the address, or 0 when the device has not enough left
   */
  long allocate(long alignment, long bytes);

  /** How much memory {@link #allocate} gave at this address. */
  long bytesAt(long address);

  /**
   * Gives memory back.
   *
   * @param address what {@link #allocate} returned
   * @param bytes all of it; if this source joins, also of what was joined behind it
   */
  void free(long address, long bytes);

  /** Whether pieces that touch may be used, and given back, as one. */
  boolean joinsNeighbours();

  /** What the device has left, for all its users together. */
  long freeBytes();
}
