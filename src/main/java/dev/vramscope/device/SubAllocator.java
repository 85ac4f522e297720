package dev.vramscope.device;

/**
 * The source of the memory that an allocator divides into blocks; named as in XLA. All calls are
 * made under the caller's lock.
 */
public interface SubAllocator {
  /**
   * Allocates contiguous memory, possibly more than requested; see {@link #bytesAt}.
   *
   * @param alignment a power of two; may be ignored, as it is on real GPUs
   * @return the address, or 0 when the device is out of memory
   */
  long allocate(long alignment, long bytes);

  /** The size that {@link #allocate} allocated at this address. */
  long bytesAt(long address);

  /**
   * Frees memory.
   *
   * @param address an address returned by {@link #allocate}
   * @param bytes the whole size; with coalescing, also that of the adjacent allocations joined to
   *     it
   */
  void free(long address, long bytes);

  /** Whether adjacent allocations may be used, and freed, as one. */
  boolean supportsCoalescing();

  /** The free bytes of the device, shared by all its users. */
  long freeBytes();
}
