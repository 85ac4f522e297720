package dev.vramscope.device.sim;

import dev.vramscope.device.HostMemory;

/** Pinned memory of a simulated host, in pages of 4 KiB. */
public final class SimHostMemory implements HostMemory {
  /** The address of the first byte. */
  public static final long BASE = 0x7000_0000_0000L;

  private static final long HOST_BYTES = 1L << 40;
  private static final long PAGE_BYTES = 4096;

  private final PhysicalMemory physical = new PhysicalMemory(HOST_BYTES, PAGE_BYTES);
  private final AllocatedRanges ranges =
      new AllocatedRanges(physical, AddressPolicy.FIRST_FIT.addresses(BASE, HOST_BYTES));

  SimHostMemory() {}

  @Override
  public synchronized long allocate(long bytes) {
    return ranges.allocate(bytes);
  }

  @Override
  public synchronized void free(long address) {
    if (ranges.free(address) == 0) {
      throw new IllegalArgumentException(
          "No pinned memory is allocated at 0x" + Long.toHexString(address) + ".");
    }
  }

  /** Allocated bytes. */
  public long usedBytes() {
    return physical.usedBytes();
  }

  /** Makes the next {@code count} requests fail as out of memory. */
  public void failRequests(int count) {
    physical.failRequests(count);
  }
}
