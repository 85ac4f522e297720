package dev.vramscope.device;

/** Memory that is allocated together with its address in one call ({@code cudaMalloc}). */
public interface DeviceMemory {
  long totalBytes();

  /** The free bytes that the driver reports now, after the use of all processes. */
  long freeBytes();

  /**
   * Allocates memory.
   *
   * @return the address, or 0 when the device is out of memory
   */
  long allocate(long bytes);

  /**
   * Frees memory.
   *
   * @param address an address returned by {@link #allocate}
   */
  void free(long address);
}
