package dev.vramscope.allocator.caching;

import dev.vramscope.device.Device;

/**
 * A reservation into which pages are mapped where blocks need them. Mapping widens a range to whole
 * pages, unmapping narrows it.
 */
final class ExpandableSegment extends Segment {
  private final Device device;
  private final long pageBytes;
  private final boolean small;

  /** The page handle behind each page of the reservation, 0 where none is mapped. */
  private final long[] pages;

  private long mappedBytes;

  ExpandableSegment(
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
    this.pages = new long[pageCount];
  }

  boolean isSmall() {
    return small;
  }

  long reservedBytes() {
    return pages.length * pageBytes;
  }

  long mappedBytes() {
    return mappedBytes;
  }

  /** The size of the whole pages that a range from the start of a page covers. */
  long widened(long bytes) {
    return Math.ceilDiv(bytes, pageBytes) * pageBytes;
  }

  /**
   * Puts pages behind {@code [address, address + bytes)}, which is whole pages. Either all pages
   * are mapped or none, also when the device refuses on the way.
   *
   * @return whether the device had the memory
   */
  boolean map(long address, long bytes) {
    int first = pageAt(address);
    int end = pageAt(address + bytes);
    if (!createPages(first, end)) {
      return false;
    }
    int mapped = first;
    boolean done = false;
    try {
      for (; mapped < end; mapped++) {
        device.virtualMemory().map(addressOf(mapped), pageBytes, pages[mapped]);
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
        pages[created++] = page;
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
      long handle = pages[page];
      pages[page] = 0;
      device.virtualMemory().releasePage(handle);
    }
  }

  /** The first address of a whole page at or after this one. */
  long pageStartFrom(long address) {
    return address() + widened(address - address());
  }

  /** The end of the last whole page that ends at or before this address. */
  long pageEndUpTo(long address) {
    return address() + (address - address()) / pageBytes * pageBytes;
  }

  /**
   * Takes the pages behind {@code [address, address + bytes)} away, which is whole pages. Waits for
   * the segment's stream, since unmapping does not. Either all pages are taken away or none; they
   * are held until they are released.
   */
  void unmap(long address, long bytes) {
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
        mapAgain(first, unmapped);
      }
    }
    mappedBytes -= bytes;
  }

  private void mapAgain(int first, int end) {
    for (int page = first; page < end; page++) {
      device.virtualMemory().map(addressOf(page), pageBytes, pages[page]);
      device.virtualMemory().setAccess(addressOf(page), pageBytes);
    }
  }

  /** Lets go of the pages that stood behind {@code [address, address + bytes)}. */
  void releaseUnmapped(long address, long bytes) {
    releasePages(pageAt(address), pageAt(address + bytes));
  }

  /** Gives the reservation back; nothing is mapped any more. */
  void release() {
    device.virtualMemory().freeReservation(address(), reservedBytes());
  }

  private int pageAt(long address) {
    return (int) ((address - address()) / pageBytes);
  }

  private long addressOf(int page) {
    return address() + page * pageBytes;
  }
}
