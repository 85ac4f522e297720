package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/** Plain memory of a simulated card. Freeing does not wait for any stream. */
public final class SimMemory implements DeviceMemory {
  private final PhysicalMemory physical;
  private final AddressSpace addresses;
  private final Map<Long, Long> sizeOf = new HashMap<>();
  private long allocateCount;
  private long freeCount;

  SimMemory(PhysicalMemory physical, AddressSpace addresses) {
    this.physical = physical;
    this.addresses = addresses;
  }

  @Override
  public long totalBytes() {
    return physical.capacityBytes();
  }

  @Override
  public long freeBytes() {
    return physical.freeBytes();
  }

  @Override
  public synchronized long allocate(long bytes) {
    long rounded = physical.roundUp(bytes);
    if (!physical.take(rounded)) {
      return 0;
    }
    long address = addresses.take(rounded);
    if (address == 0) {
      physical.giveBack(rounded);
      return 0;
    }
    sizeOf.put(address, rounded);
    allocateCount++;
    return address;
  }

  @Override
  public synchronized void free(long address) {
    Long bytes = sizeOf.remove(address);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "No memory was allocated at 0x" + Long.toHexString(address) + " on this device.");
    }
    physical.giveBack(bytes);
    addresses.giveBack(address, bytes);
    freeCount++;
  }

  /** Successful allocations so far. */
  public synchronized long allocateCount() {
    return allocateCount;
  }

  public synchronized long freeCount() {
    return freeCount;
  }
}
