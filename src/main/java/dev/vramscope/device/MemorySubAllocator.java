package dev.vramscope.device;

import java.util.HashMap;
import java.util.Map;

/**
 * Plain device memory: ignores the alignment, allocates exactly the requested size, no coalescing.
 */
public final class MemorySubAllocator implements SubAllocator {
  private final DeviceMemory memory;
  private final Map<Long, Long> bytesAt = new HashMap<>();

  public MemorySubAllocator(DeviceMemory memory) {
    this.memory = memory;
  }

  @Override
  public long allocate(long alignment, long bytes) {
    // The driver is not called for a size that no device has.
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
          "No memory is allocated at 0x" + Long.toHexString(address) + ".");
    }
    return bytes;
  }

  @Override
  public void free(long address, long bytes) {
    if (bytesAt(address) != bytes) {
      throw new IllegalArgumentException(
          "The allocation at 0x%x has %d bytes, not %d."
              .formatted(address, bytesAt(address), bytes));
    }
    bytesAt.remove(address);
    memory.free(address);
  }

  @Override
  public boolean supportsCoalescing() {
    return false;
  }

  @Override
  public long freeBytes() {
    return memory.freeBytes();
  }
}
