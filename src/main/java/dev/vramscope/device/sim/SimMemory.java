package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceMemory;

/** Plain memory of a simulated card. Freeing does not wait for any stream. */
public final class SimMemory implements DeviceMemory {
  private final PhysicalMemory physical;
  private final AllocatedRanges ranges;
  private final Stamps stamps;
  private long allocateCount;
  private long freeCount;

  SimMemory(PhysicalMemory physical, AddressSpace addresses, Stamps stamps) {
    this.physical = physical;
    ranges = new AllocatedRanges(physical, addresses);
    this.stamps = stamps;
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
    long address = ranges.take(bytes);
    if (address != 0) {
      allocateCount++;
    }
    return address;
  }

  @Override
  public synchronized void free(long address) {
    long bytes = ranges.giveBack(address);
    if (bytes == 0) {
      throw new IllegalArgumentException(
          "No memory was allocated at 0x" + Long.toHexString(address) + " on this device.");
    }
    stamps.forget(address, bytes);
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
