package dev.vramscope.allocator.bfc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pool: all regions, by address. */
final class Regions implements Iterable<Region> {
  private final ChunkTable chunks;
  private final List<Region> byAddress = new ArrayList<>();
  private long registrations;
  private long poolBytes;
  private long peakPoolBytes;

  Regions(ChunkTable chunks) {
    this.chunks = chunks;
  }

  long poolBytes() {
    return poolBytes;
  }

  long peakPoolBytes() {
    return peakPoolBytes;
  }

  int count() {
    return byAddress.size();
  }

  @Override
  public Iterator<Region> iterator() {
    return byAddress.iterator();
  }

  Region get(int index) {
    return byAddress.get(index);
  }

  /** Adds a region with one chunk. */
  Region add(long address, long bytes, int chunk) {
    Region region = new Region(address, bytes, registrations++, chunk);
    byAddress.add(indexAfter(address), region);
    addPoolBytes(bytes);
    return region;
  }

  /** Extends a region by the memory that follows it, and the chunk that covers that memory. */
  void extend(Region region, long bytes, int chunk) {
    chunks.link(lastChunk(region), chunk);
    region.grow(bytes);
    addPoolBytes(bytes);
  }

  private void addPoolBytes(long bytes) {
    poolBytes += bytes;
    peakPoolBytes = Math.max(peakPoolBytes, poolBytes);
  }

  void remove(Region region) {
    byAddress.remove(region);
    poolBytes -= region.bytes();
  }

  /** The region that ends where this address begins, or null. */
  @Nullable Region endingAt(long address) {
    int index = indexAfter(address);
    Region before = index == 0 ? null : byAddress.get(index - 1);
    return before != null && before.endAddress() == address ? before : null;
  }

  /** The region that covers this address, or null. */
  @Nullable Region covering(long address) {
    int index = indexAfter(address);
    Region region = index == byAddress.size() ? null : byAddress.get(index);
    return region != null && region.address <= address ? region : null;
  }

  /** The index of the first region that ends after this address. */
  private int indexAfter(long address) {
    int low = 0;
    int high = byAddress.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (address < byAddress.get(middle).endAddress()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * The chunk that covers this address, or {@link ChunkTable#NONE}. The walk starts at the nearest
   * of √n sampled slots; as slots are in no address order, it takes about √n further steps. Lookups
   * are rare, so an index that each split and merge would have to update is not worth its cost.
   */
  int chunkCovering(long address) {
    Region region = covering(address);
    if (region == null) {
      return ChunkTable.NONE;
    }
    int slot = nearestSampled(region.firstChunk, address);
    while (chunks.endAddress(slot) <= address) {
      slot = chunks.next(slot);
    }
    return slot;
  }

  /** A chunk that starts at or before the address, and not before the first chunk. */
  private int nearestSampled(int firstChunk, long address) {
    int nearest = firstChunk;
    int step = Math.max(1, (int) Math.sqrt(chunks.slotCount()));
    for (int slot = 0; slot < chunks.slotCount(); slot += step) {
      long start = chunks.address(slot);
      if (start <= address && start > chunks.address(nearest) && !chunks.isDead(slot)) {
        nearest = slot;
      }
    }
    return nearest;
  }

  int lastChunk(Region region) {
    int last = region.firstChunk;
    while (chunks.next(last) != ChunkTable.NONE) {
      last = chunks.next(last);
    }
    return last;
  }

  boolean isFree(Region region) {
    for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
      if (chunks.isAllocated(slot)) {
        return false;
      }
    }
    return true;
  }
}
