package dev.vramscope.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;

/**
 * A driver's memory at the addresses that a BFC trace expects. Skips the calling test when the
 * trace wants its pieces where no driver puts them: downwards, with gaps, at less than a page from
 * each other, or never where one was before.
 */
record MovedMemory(DeviceMemory memory, SubAllocatorSettings settings, long pageBytes)
    implements DeviceMemory {
  MovedMemory {
    assumeTrue(
        settings.placement() != Placement.DOWN && settings.gapBytes() == 0,
        "skipped: the trace's memory grows downwards or with gaps");
    assumeTrue(
        settings.base() % pageBytes == 0 && settings.alignment() <= pageBytes,
        "skipped: the trace's memory does not begin at a page");
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
    assumeTrue(bytes % pageBytes == 0, "skipped: the trace's memory is not made of pages");
    long address = memory.allocate(bytes);
    return address == 0 ? 0 : address - SimDevice.MEMORY_BASE + settings.base();
  }

  @Override
  public void free(long address) {
    assumeTrue(
        settings.placement() == Placement.FIRST_FIT,
        "skipped: the trace uses no address a second time");
    memory.free(address - settings.base() + SimDevice.MEMORY_BASE);
  }
}
