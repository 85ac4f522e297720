package dev.vramscope.device;

/** Address ranges and physical pages, taken and joined separately ({@code cuMem*}). */
public interface VirtualMemory {
  /** Every size here is a multiple of this many bytes. */
  long granularityBytes();

  /**
   * Reserves an address range without memory behind it; the size is rounded up to the granularity.
   *
   * @return the start of the range, or 0 when no such range is left
   */
  long reserve(long bytes);

  /** Gives back a whole reservation of {@code bytes} (as asked for) in which nothing is mapped. */
  void freeReservation(long address, long bytes);

  /**
   * Takes physical memory.
   *
   * @param bytes a positive multiple of the granularity
   * @return a page handle, or 0 when the device has not enough memory left
   * @throws DeviceException if the size is not a multiple of the granularity
   */
  long createPage(long bytes);

  /** Puts a page behind {@code [address, address + bytes)} of a reservation. */
  void map(long address, long bytes, long page);

  /** Allows the device to read and write a mapped range. */
  void setAccess(long address, long bytes);

  /**
   * Takes the page away from the range. Does not wait for running work: synchronize the stream
   * first.
   */
  void unmap(long address, long bytes);

  /** Lets go of a page; its memory returns when it is mapped nowhere either. */
  void releasePage(long page);
}
