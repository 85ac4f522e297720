package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.VirtualMemory;
import java.util.HashMap;
import java.util.Map;

/** Reservations and pages of a simulated device. */
public final class SimVirtualMemory implements VirtualMemory {
  /** A page; its memory is freed once it is released and not mapped. */
  private static final class Page {
    private final long bytes;
    private boolean retained = true;
    private int mappings;

    private Page(long bytes) {
      this.bytes = bytes;
    }
  }

  private final PhysicalMemory physical;
  private final Addresses addresses;
  private final FilledRanges filledRanges;
  private final Map<Long, Page> pages = new HashMap<>();
  private final Map<Long, Long> pageAt = new HashMap<>();
  private long lastPage;
  private long reserveCount;
  private long freeReservationCount;
  private long createCount;
  private long releaseCount;
  private long mapCount;
  private long unmapCount;

  SimVirtualMemory(PhysicalMemory physical, Addresses addresses, FilledRanges filledRanges) {
    this.physical = physical;
    this.addresses = addresses;
    this.filledRanges = filledRanges;
  }

  @Override
  public long granularityBytes() {
    return physical.granularityBytes();
  }

  @Override
  public synchronized long reserve(long bytes) {
    long address = addresses.allocate(physical.roundUp(bytes));
    if (address != 0) {
      reserveCount++;
    }
    return address;
  }

  @Override
  public synchronized void freeReservation(long address, long bytes) {
    addresses.free(address, physical.roundUp(bytes));
    freeReservationCount++;
  }

  @Override
  public synchronized long createPage(long bytes) {
    if (bytes <= 0 || bytes != physical.roundUp(bytes)) {
      throw new DeviceException("CUDA driver error: invalid argument");
    }
    if (!physical.allocate(bytes)) {
      return 0;
    }
    createCount++;
    pages.put(++lastPage, new Page(bytes));
    return lastPage;
  }

  @Override
  public synchronized void map(long address, long bytes, long page) {
    if (pageAt.putIfAbsent(address, page) != null) {
      throw new IllegalArgumentException(
          "A page is already mapped at 0x" + Long.toHexString(address) + ".");
    }
    page(page).mappings++;
    mapCount++;
  }

  /** Only checks that the range is mapped. */
  @Override
  public synchronized void setAccess(long address, long bytes) {
    pageMappedAt(address);
  }

  @Override
  public synchronized void unmap(long address, long bytes) {
    long page = pageMappedAt(address);
    pageAt.remove(address);
    filledRanges.discard(address, bytes);
    page(page).mappings--;
    unmapCount++;
    freeIfUnused(page);
  }

  @Override
  public synchronized void releasePage(long page) {
    page(page).retained = false;
    releaseCount++;
    freeIfUnused(page);
  }

  private long pageMappedAt(long address) {
    Long page = pageAt.get(address);
    if (page == null) {
      throw new IllegalArgumentException(
          "No page is mapped at 0x" + Long.toHexString(address) + ".");
    }
    return page;
  }

  private Page page(long handle) {
    Page page = pages.get(handle);
    if (page == null) {
      throw new IllegalArgumentException("This device has no page " + handle + ".");
    }
    return page;
  }

  private void freeIfUnused(long handle) {
    Page page = page(handle);
    if (!page.retained && page.mappings == 0) {
      pages.remove(handle);
      physical.free(page.bytes);
    }
  }

  public synchronized long reserveCount() {
    return reserveCount;
  }

  public synchronized long freeReservationCount() {
    return freeReservationCount;
  }

  /** Successful {@link #createPage} calls so far. */
  public synchronized long createCount() {
    return createCount;
  }

  public synchronized long releaseCount() {
    return releaseCount;
  }

  public synchronized long mapCount() {
    return mapCount;
  }

  public synchronized long unmapCount() {
    return unmapCount;
  }
}
