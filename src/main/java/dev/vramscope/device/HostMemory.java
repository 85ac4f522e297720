package dev.vramscope.device;

/**
 * Host memory that the device reads and writes directly, because its pages are pinned ({@code
 * cudaHostAlloc}). Allocating and freeing are slow: milliseconds.
 */
public interface HostMemory {
  /**
   * Allocates pinned memory.
   *
   * @return its address, or 0 when the host is out of memory
   */
  long allocate(long bytes);

  /**
   * Frees pinned memory.
   *
   * @param address an address returned by {@link #allocate}
   */
  void free(long address);
}
