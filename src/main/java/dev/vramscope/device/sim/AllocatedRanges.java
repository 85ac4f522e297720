package dev.vramscope.device.sim;

import java.util.HashMap;
import java.util.Map;

/** Allocated address ranges, backed by physical memory. Callers hold their own lock. */
final class AllocatedRanges {
  private final PhysicalMemory physical;
  private final Addresses addresses;
  private final Map<Long, Long> sizeOf = new HashMap<>();

  AllocatedRanges(PhysicalMemory physical, Addresses addresses) {
    this.physical = physical;
    this.addresses = addresses;
  }

  /**
   * Allocates memory, rounded up to the granularity; returns its address, or 0 if out of memory.
   */
  long allocate(long bytes) {
    long rounded = physical.roundUp(bytes);
    if (!physical.allocate(rounded)) {
      return 0;
    }
    long address = addresses.allocate(rounded);
    if (address == 0) {
      physical.free(rounded);
      return 0;
    }
    sizeOf.put(address, rounded);
    return address;
  }

  /** Frees the memory at an address; returns its size, or 0 if nothing is allocated there. */
  long free(long address) {
    Long bytes = sizeOf.remove(address);
    if (bytes == null) {
      return 0;
    }
    physical.free(bytes);
    addresses.free(address, bytes);
    return bytes;
  }
}
