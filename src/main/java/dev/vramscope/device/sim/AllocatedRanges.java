package dev.vramscope.device.sim;

import java.util.HashMap;
import java.util.Map;

/** Physical bytes behind addresses: what was handed out, and where. Callers hold their own lock. */
final class AllocatedRanges {
  private final PhysicalMemory physical;
  private final AddressSpace addresses;
  private final Map<Long, Long> sizeOf = new HashMap<>();

  AllocatedRanges(PhysicalMemory physical, AddressSpace addresses) {
    this.physical = physical;
    this.addresses = addresses;
  }

  /** The address of so many bytes, rounded up to the granularity; 0 when there is no room. */
  long take(long bytes) {
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
    return address;
  }

  /** Returns what was taken, and how much it was; 0 if nothing was taken at this address. */
  long giveBack(long address) {
    Long bytes = sizeOf.remove(address);
    if (bytes == null) {
      return 0;
    }
    physical.giveBack(bytes);
    addresses.giveBack(address, bytes);
    return bytes;
  }
}
