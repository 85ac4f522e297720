package dev.vramscope.device;

import java.util.HashMap;
import java.util.Map;

/** Plain memory of a device: ignores alignment, gives exactly what is asked for, joins nothing. */
public final class MemorySubAllocator implements SubAllocator {
  private final DeviceMemory memory;
  private final Map<Long, Long> bytesAt = new HashMap<>();

  public MemorySubAllocator(DeviceMemory memory) {
    this.memory = memory;
  }

  @Override
  public long allocate(long alignment, long bytes) {
    // More than any device has, and more than one should be asked for.
    if (bytes <= 0 || bytes > memory.totalBytes()) {
      return 0;
    }
    long address = memory.allocate(bytes);
    if (address != 0) {
      bytesAt.put(address, bytes);
    }
    return address;
  }

  @Override
  public long bytesAt(long address) {
    Long bytes = bytesAt.get(address);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "No memory was allocated at 0x" + Long.toHexString(address) + " here.");
    }
    return bytes;
  }

  @Override
  public void free(long address, long bytes) {
    if (bytesAt(address) != bytes) {
      throw new IllegalArgumentException(
          "0x%x holds %d bytes, not %d.".formatted(address, bytesAt(address), bytes));
    }
    bytesAt.remove(address);
    memory.free(address);
  }

  @Override
  public boolean joinsNeighbours() {
    return false;
  }

  @Override
  public long freeBytes() {
    return memory.freeBytes();
  }
}
