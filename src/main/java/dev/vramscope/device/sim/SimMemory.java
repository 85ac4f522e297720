package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceMemory;

/** Plain memory of a simulated device. Freeing does not wait for any stream. */
public final class SimMemory implements DeviceMemory {
  private final PhysicalMemory physical;
  private final AllocatedRanges ranges;
  private final FilledRanges filledRanges;
  private long allocateCount;
  private long freeCount;

  SimMemory(PhysicalMemory physical, Addresses addresses, FilledRanges filledRanges) {
    this.physical = physical;
    ranges = new AllocatedRanges(physical, addresses);
    this.filledRanges = filledRanges;
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
    long address = ranges.allocate(bytes);
    if (address != 0) {
      allocateCount++;
    }
    return address;
  }

  @Override
  public synchronized void free(long address) {
    long bytes = ranges.free(address);
    if (bytes == 0) {
      throw new IllegalArgumentException(
          "No memory is allocated at 0x" + Long.toHexString(address) + " on this device.");
    }
    filledRanges.discard(address, bytes);
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
