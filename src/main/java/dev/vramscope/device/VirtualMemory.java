package dev.vramscope.device;

/**
 * Address ranges and physical pages, which are allocated separately and mapped ({@code cuMem*}).
 */
public interface VirtualMemory {
  /** Every size here is a multiple of this many bytes. */
  long granularityBytes();

  /**
   * Reserves an address range that is not backed by memory; the size is rounded up to the
   * granularity.
   *
   * @return the start of the range, or 0 when no such range is free
   */
  long reserve(long bytes);

  /** Frees a whole reservation of {@code bytes} (the requested size) in which nothing is mapped. */
  void freeReservation(long address, long bytes);

  /**
   * Allocates physical memory.
   *
   * @param bytes a positive multiple of the granularity
   * @return a page handle, or 0 when the device is out of memory
   * @throws DeviceException if the size is not a multiple of the granularity
   */
  long createPage(long bytes);

  /** Maps a page to {@code [address, address + bytes)} of a reservation. */
  void map(long address, long bytes, long page);

  /** Allows the device to read and write a mapped range. */
  void setAccess(long address, long bytes);

  /**
   * Unmaps the page from the range. Does not wait for running work: synchronize the stream first.
   */
  void unmap(long address, long bytes);

  /** Releases a page; its memory is freed once it is not mapped either. */
  void releasePage(long page);
}
