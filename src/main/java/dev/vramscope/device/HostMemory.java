package dev.vramscope.device;

/**
 * Host memory that the device reads and writes directly, because its pages are pinned ({@code
 * cudaHostAlloc}). Taking and giving back are slow: milliseconds.
 */
public interface HostMemory {
  /**
   * Takes pinned memory.
   *
   * @return its address, or 0 when the host has none left
   */
  long allocate(long bytes);

  /**
   * Gives pinned memory back.
   *
   * @param address what {@link #allocate} returned
   */
  void free(long address);
}
