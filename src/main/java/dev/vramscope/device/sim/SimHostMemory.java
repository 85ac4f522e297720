package dev.vramscope.device.sim;

import dev.vramscope.device.HostMemory;
import java.util.HashMap;
import java.util.Map;

/** Pinned memory of a simulated host, in pages of 4 KiB. */
public final class SimHostMemory implements HostMemory {
  /** The address of the first byte. */
  public static final long BASE = 0x7000_0000_0000L;

  private static final long HOST_BYTES = 1L << 40;
  private static final long PAGE_BYTES = 4096;

  private final PhysicalMemory physical = new PhysicalMemory(HOST_BYTES, PAGE_BYTES);
  private final AddressSpace addresses = new AddressSpace(BASE, HOST_BYTES);
  private final Map<Long, Long> sizeOf = new HashMap<>();

  SimHostMemory() {}

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
    return address;
  }

  @Override
  public synchronized void free(long address) {
    Long bytes = sizeOf.remove(address);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "No pinned memory was allocated at 0x" + Long.toHexString(address) + ".");
    }
    physical.giveBack(bytes);
    addresses.giveBack(address, bytes);
  }

  /** Bytes handed out and not yet returned. */
  public long usedBytes() {
    return physical.usedBytes();
  }

  /** Lets the next {@code count} requests fail as if the host were full. */
  public void failRequests(int count) {
    physical.failRequests(count);
  }
}
