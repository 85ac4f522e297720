package dev.vramscope.replay;

import dev.vramscope.device.VirtualMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Virtual memory of a simulated device, where every call is repeated on a real device. */
final class ShadowVirtualMemory implements VirtualMemory {
  private record Reservation(long realAddress, long bytes) {}

  private final VirtualMemory simulated;
  private final VirtualMemory real;
  private final TreeMap<Long, Reservation> reservations = new TreeMap<>();
  private final Map<Long, Long> pages = new HashMap<>();
  private final TreeMap<Long, Long> mappedBytes = new TreeMap<>();

  ShadowVirtualMemory(VirtualMemory simulated, VirtualMemory real) {
    this.simulated = simulated;
    this.real = real;
  }

  @Override
  public long granularityBytes() {
    return simulated.granularityBytes();
  }

  @Override
  public long reserve(long bytes) {
    long address = simulated.reserve(bytes);
    if (address != 0) {
      reservations.put(address, new Reservation(requireSuccess(real.reserve(bytes), bytes), bytes));
    }
    return address;
  }

  @Override
  public void freeReservation(long address, long bytes) {
    simulated.freeReservation(address, bytes);
    real.freeReservation(realAddress(address), bytes);
    reservations.remove(address);
  }

  @Override
  public long createPage(long bytes) {
    if (bytes % real.granularityBytes() != 0) {
      throw new UnsuitableDeviceException(
          "the device's pages have " + real.granularityBytes() + " bytes, not " + bytes);
    }
    long page = simulated.createPage(bytes);
    if (page != 0) {
      pages.put(page, requireSuccess(real.createPage(bytes), bytes));
    }
    return page;
  }

  @Override
  public void map(long address, long bytes, long page) {
    simulated.map(address, bytes, page);
    real.map(realAddress(address), bytes, existing(pages.get(page)));
    mappedBytes.put(address, bytes);
  }

  @Override
  public void setAccess(long address, long bytes) {
    simulated.setAccess(address, bytes);
    real.setAccess(realAddress(address), bytes);
  }

  @Override
  public void unmap(long address, long bytes) {
    simulated.unmap(address, bytes);
    real.unmap(realAddress(address), bytes);
    mappedBytes.subMap(address, address + bytes).clear();
  }

  @Override
  public void releasePage(long page) {
    simulated.releasePage(page);
    real.releasePage(existing(pages.remove(page)));
  }

  private long realAddress(long address) {
    Map.Entry<Long, Reservation> reservation = reservations.floorEntry(address);
    return reservation.getValue().realAddress() + address - reservation.getKey();
  }

  /** Unknown pages have already been rejected by the simulated device. */
  private static long existing(@Nullable Long page) {
    return Objects.requireNonNull(page);
  }

  private static long requireSuccess(long result, long bytes) {
    if (result == 0) {
      throw new UnsuitableDeviceException("the device has fewer than " + bytes + " bytes free");
    }
    return result;
  }

  /** Frees everything that is still in use on the real device. */
  void freeAll() {
    List<Map.Entry<Long, Long>> mapped = new ArrayList<>(mappedBytes.entrySet());
    mapped.forEach(range -> real.unmap(realAddress(range.getKey()), range.getValue()));
    mappedBytes.clear();
    pages.values().forEach(real::releasePage);
    pages.clear();
    reservations.values().forEach(all -> real.freeReservation(all.realAddress(), all.bytes()));
    reservations.clear();
  }
}
