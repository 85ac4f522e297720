package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.VirtualMemory;
import java.util.HashMap;
import java.util.Map;

/** Reservations and pages of a simulated card. */
public final class SimVirtualMemory implements VirtualMemory {
  /** A page: its bytes return once it is neither held nor mapped. */
  private static final class Page {
    private final long bytes;
    private boolean held = true;
    private int mappings;

    private Page(long bytes) {
      this.bytes = bytes;
    }
  }

  private final PhysicalMemory physical;
  private final AddressSpace addresses;
  private final Stamps stamps;
  private final Map<Long, Page> pages = new HashMap<>();
  private final Map<Long, Long> pageAt = new HashMap<>();
  private long lastPage;
  private long reserveCount;
  private long freeReservationCount;
  private long createCount;
  private long releaseCount;
  private long mapCount;
  private long unmapCount;

  SimVirtualMemory(PhysicalMemory physical, AddressSpace addresses, Stamps stamps) {
    this.physical = physical;
    this.addresses = addresses;
    this.stamps = stamps;
  }

  @Override
  public long granularityBytes() {
    return physical.granularityBytes();
  }

  @Override
  public synchronized long reserve(long bytes) {
    long address = addresses.take(physical.roundUp(bytes));
    if (address != 0) {
      reserveCount++;
    }
    return address;
  }

  @Override
  public synchronized void freeReservation(long address, long bytes) {
    addresses.giveBack(address, physical.roundUp(bytes));
    freeReservationCount++;
  }

  @Override
  public synchronized long createPage(long bytes) {
    if (bytes <= 0 || bytes != physical.roundUp(bytes)) {
      throw new DeviceException("CUDA driver error: invalid argument");
    }
    if (!physical.take(bytes)) {
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
          "A page is mapped at 0x" + Long.toHexString(address) + " already.");
    }
    page(page).mappings++;
    mapCount++;
  }

  /** Access costs nothing here; the range must be mapped. */
  @Override
  public synchronized void setAccess(long address, long bytes) {
    pageMappedAt(address);
  }

  @Override
  public synchronized void unmap(long address, long bytes) {
    long page = pageMappedAt(address);
    pageAt.remove(address);
    stamps.forget(address, bytes);
    page(page).mappings--;
    unmapCount++;
    returnIfUnused(page);
  }

  @Override
  public synchronized void releasePage(long page) {
    page(page).held = false;
    releaseCount++;
    returnIfUnused(page);
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
      throw new IllegalArgumentException("There is no page " + handle + " on this device.");
    }
    return page;
  }

  private void returnIfUnused(long handle) {
    Page page = page(handle);
    if (!page.held && page.mappings == 0) {
      pages.remove(handle);
      physical.giveBack(page.bytes);
    }
  }

  public synchronized long reserveCount() {
    return reserveCount;
  }

  public synchronized long freeReservationCount() {
    return freeReservationCount;
  }

  /** Successful creations so far. */
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
