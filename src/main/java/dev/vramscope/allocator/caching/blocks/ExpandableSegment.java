package dev.vramscope.allocator.caching.blocks;

import dev.vramscope.device.Device;

/**
 * An address reservation into which pages are mapped where blocks need them. Only whole pages are
 * mapped and unmapped: mapping rounds a range up to them, unmapping rounds it down.
 */
public final class ExpandableSegment extends HeldSegment {
  private final Device device;
  private final long pageBytes;
  private final boolean small;
  private final int pageCount;
  private final PageHandles pages = new PageHandles();
  private long mappedBytes;

  public ExpandableSegment(
      int number,
      long registration,
      long address,
      int stream,
      Device device,
      boolean small,
      long pageBytes,
      int pageCount) {
    super(number, registration, address, stream);
    this.device = device;
    this.small = small;
    this.pageBytes = pageBytes;
    this.pageCount = pageCount;
  }

  public boolean isSmall() {
    return small;
  }

  public long reservedBytes() {
    return pageCount * pageBytes;
  }

  public long mappedBytes() {
    return mappedBytes;
  }

  /** A size rounded up to whole pages. */
  public long wholePages(long bytes) {
    return Math.ceilDiv(bytes, pageBytes) * pageBytes;
  }

  /**
   * Maps memory at the whole pages {@code [address, address + bytes)}. Either all of them are
   * mapped or none, also if the device throws an exception.
   *
   * @return false if the device has not enough memory
   */
  public boolean map(long address, long bytes) {
    int first = pageAt(address);
    int end = pageAt(address + bytes);
    if (!createPages(first, end)) {
      return false;
    }
    int mapped = first;
    boolean done = false;
    try {
      for (; mapped < end; mapped++) {
        device.virtualMemory().map(addressOf(mapped), pageBytes, pages.get(mapped));
      }
      device.virtualMemory().setAccess(address, bytes);
      done = true;
    } finally {
      if (!done) {
        unmapPages(first, mapped);
        releasePages(first, end);
      }
    }
    mappedBytes += bytes;
    return true;
  }

  private void unmapPages(int first, int end) {
    for (int page = first; page < end; page++) {
      device.virtualMemory().unmap(addressOf(page), pageBytes);
    }
  }

  private boolean createPages(int first, int end) {
    int created = first;
    try {
      while (created < end) {
        long page = device.virtualMemory().createPage(pageBytes);
        if (page == 0) {
          return false;
        }
        pages.set(created++, page);
      }
      return true;
    } finally {
      if (created < end) {
        releasePages(first, created);
      }
    }
  }

  private void releasePages(int first, int end) {
    for (int page = first; page < end; page++) {
      long handle = pages.get(page);
      pages.set(page, 0);
      device.virtualMemory().releasePage(handle);
    }
  }

  /** The start of the first page that begins at or after an address. */
  public long pageStartFrom(long address) {
    return address() + wholePages(address - address());
  }

  /** The end of the last page that ends at or before an address. */
  public long pageEndUpTo(long address) {
    return address() + (address - address()) / pageBytes * pageBytes;
  }

  /**
   * Unmaps the whole pages {@code [address, address + bytes)}. Waits for the segment's stream,
   * since the driver does not. Either all of them are unmapped or none; their memory is held until
   * {@link #releaseUnmapped}.
   */
  public void unmap(long address, long bytes) {
    device.streams().synchronize(stream());
    int first = pageAt(address);
    int end = pageAt(address + bytes);
    int unmapped = first;
    try {
      for (; unmapped < end; unmapped++) {
        device.virtualMemory().unmap(addressOf(unmapped), pageBytes);
      }
    } finally {
      if (unmapped < end) {
        remap(first, unmapped);
      }
    }
    mappedBytes -= bytes;
  }

  private void remap(int first, int end) {
    for (int page = first; page < end; page++) {
      device.virtualMemory().map(addressOf(page), pageBytes, pages.get(page));
      device.virtualMemory().setAccess(addressOf(page), pageBytes);
    }
  }

  /** Releases the memory that was mapped at {@code [address, address + bytes)}. */
  public void releaseUnmapped(long address, long bytes) {
    releasePages(pageAt(address), pageAt(address + bytes));
  }

  /** Releases the reservation, in which no page is mapped. */
  public void release() {
    device.virtualMemory().freeReservation(address(), reservedBytes());
  }

  private int pageAt(long address) {
    return (int) ((address - address()) / pageBytes);
  }

  private long addressOf(int page) {
    return address() + page * pageBytes;
  }
}
