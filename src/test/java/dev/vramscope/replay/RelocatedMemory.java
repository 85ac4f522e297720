package dev.vramscope.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;

/**
 * A driver's memory at the addresses that a BFC trace expects. Skips the calling test if the trace
 * requires a placement that drivers do not have: downwards, with gaps, not aligned to pages, or
 * without reuse of addresses.
 */
record RelocatedMemory(DeviceMemory memory, SubAllocatorSettings settings, long pageBytes)
    implements DeviceMemory {
  RelocatedMemory {
    assumeTrue(
        settings.placement() != Placement.DOWN && settings.gapBytes() == 0,
        "skipped: the trace's memory grows downwards or with gaps");
    assumeTrue(
        settings.base() % pageBytes == 0 && settings.alignment() <= pageBytes,
        "skipped: the trace's memory does not begin on a page");
  }

  @Override
  public long totalBytes() {
    return memory.totalBytes();
  }

  @Override
  public long freeBytes() {
    return memory.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    assumeTrue(bytes % pageBytes == 0, "skipped: the trace's memory does not consist of pages");
    long address = memory.allocate(bytes);
    return address == 0 ? 0 : address - SimDevice.MEMORY_BASE + settings.base();
  }

  @Override
  public void free(long address) {
    assumeTrue(
        settings.placement() == Placement.FIRST_FIT, "skipped: the trace does not reuse addresses");
    memory.free(address - settings.base() + SimDevice.MEMORY_BASE);
  }
}
