package dev.vramscope.replay;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.SubAllocator;

/** Memory at the addresses that a sub-allocator chooses. */
record PlacedMemory(SubAllocator places) implements DeviceMemory {
  @Override
  public long totalBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public long freeBytes() {
    return places.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    return places.allocate(1, bytes);
  }

  @Override
  public void free(long address) {
    places.free(address, places.bytesAt(address));
  }
}
