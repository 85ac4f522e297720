package dev.vramscope.replay;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.SubAllocator;

/** Device memory whose addresses come from a sub-allocator. */
record PlacedMemory(SubAllocator source) implements DeviceMemory {
  @Override
  public long totalBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public long freeBytes() {
    return source.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    return source.allocate(1, bytes);
  }

  @Override
  public void free(long address) {
    source.free(address, source.bytesAt(address));
  }
}
