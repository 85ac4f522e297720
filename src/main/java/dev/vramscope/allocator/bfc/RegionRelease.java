package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.bfc.log.LogEntry;
import dev.vramscope.device.SubAllocator;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;

/** Releases regions without an allocated chunk to the device. */
final class RegionRelease {
  private static final String NOTICE =
      "Garbage collection: deallocate free memory regions (i.e., allocations) so that we can"
          + " re-allocate a larger region to avoid OOM due to memory fragmentation. If you see this"
          + " message frequently, you are running near the threshold of the available device memory"
          + " and re-allocation may incur great performance overhead. You may try smaller batch"
          + " sizes to observe the performance impact. Set TF_ENABLE_GPU_GARBAGE_COLLECTION=false"
          + " if you'd like to disable this feature.";

  private final boolean enabled;
  private final SubAllocator source;
  private final ChunkTable chunks;
  private final Regions regions;
  private final FreeChunks free;
  private final Extension extension;
  private final Listeners listeners;

  RegionRelease(
      BfcOptions options,
      SubAllocator source,
      ChunkTable chunks,
      Regions regions,
      FreeChunks free,
      Extension extension,
      Listeners listeners) {
    this.enabled = options.releasesFreeRegions();
    this.source = source;
    this.chunks = chunks;
    this.regions = regions;
    this.free = free;
    this.extension = extension;
    this.listeners = listeners;
  }

  /**
   * Releases all free regions, if the option is enabled and this makes a region of the given size
   * possible within the limit.
   *
   * @return whether any region was released
   */
  boolean releaseFor(long rounded, List<LogEntry> log) {
    if (!enabled) {
      return false;
    }
    List<Region> released = freeRegions();
    long bytes = released.stream().mapToLong(Region::bytes).sum();
    if (bytes == 0 || Long.compareUnsigned(rounded, extension.unallocatedBytes() + bytes) > 0) {
      return false;
    }
    log.add(LogEntry.warning(NOTICE));
    released.forEach(this::release);
    return true;
  }

  /** Releases all free regions. */
  void releaseAll() {
    freeRegions().forEach(this::release);
  }

  private List<Region> freeRegions() {
    List<Region> freeRegions = new ArrayList<>();
    for (Region region : regions) {
      if (regions.isFree(region)) {
        freeRegions.add(region);
      }
    }
    return freeRegions;
  }

  private void release(Region region) {
    for (int slot = region.firstChunk; slot != ChunkTable.NONE; ) {
      int next = chunks.next(slot);
      free.remove(slot);
      chunks.destroy(slot);
      slot = next;
    }
    listeners.event(TraceAction.SEGMENT_FREE, region.address, region.bytes(), 0, 0);
    regions.remove(region);
    source.free(region.address, region.bytes());
  }
}
