package dev.vramscope.device;

/** Memory that comes with its address in one call ({@code cudaMalloc}). */
public interface DeviceMemory {
  long totalBytes();

  /** What the driver would report as free now, for all processes together. */
  long freeBytes();

  /**
   * Takes memory from the device.
   *
   * @return the address, or 0 when the device has not enough memory left
   */
  long allocate(long bytes);

  /**
   * Gives memory back.
   *
   * @param address what {@link #allocate} returned
   */
  void free(long address);
}
