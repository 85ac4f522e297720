package dev.vramscope.allocator.bfc;

/** All free chunks: in the bins, or as the central gap of their region. */
final class FreeChunks {
  private final ChunkTable chunks;
  private final Regions regions;
  private final Bins bins;

  FreeChunks(ChunkTable chunks, Regions regions) {
    this.chunks = chunks;
    this.regions = regions;
    this.bins = new Bins(chunks);
  }

  Bins bins() {
    return bins;
  }

  void insert(int slot) {
    if (chunks.tag(slot) == ChunkTable.GAP) {
      regionOf(slot).setCentralGap(slot);
    } else {
      bins.insert(slot);
    }
  }

  void remove(int slot) {
    if (chunks.tag(slot) == ChunkTable.GAP) {
      regionOf(slot).setCentralGap(ChunkTable.NONE);
    } else {
      bins.remove(slot);
    }
  }

  /**
   * Removes the best fit; if no bin has one, the first central gap that fits.
   *
   * @return the chunk's slot, or {@link ChunkTable#NONE}
   */
  int take(long bytes, long alignment, AllocationAttributes attributes) {
    int slot = bins.take(bytes, alignment, attributes);
    return slot != ChunkTable.NONE ? slot : takeGap(bytes, alignment, attributes);
  }

  private int takeGap(long bytes, long alignment, AllocationAttributes attributes) {
    for (int i = 0; i < regions.count(); i++) {
      Region region = regions.get(i);
      int gap = region.centralGap();
      if (gap != ChunkTable.NONE && Splitting.suitsGap(chunks, gap, bytes, alignment, attributes)) {
        region.setCentralGap(ChunkTable.NONE);
        return gap;
      }
    }
    return ChunkTable.NONE;
  }

  private Region regionOf(int slot) {
    Region region = regions.covering(chunks.address(slot));
    if (region == null) {
      throw new IllegalStateException("Chunk " + slot + " is in no region.");
    }
    return region;
  }

  /** The largest central gap, or {@link ChunkTable#NONE}. */
  int largestGap() {
    int largest = ChunkTable.NONE;
    for (Region region : regions) {
      int gap = region.centralGap();
      if (gap != ChunkTable.NONE
          && (largest == ChunkTable.NONE || chunks.bytes(gap) > chunks.bytes(largest))) {
        largest = gap;
      }
    }
    return largest;
  }

  long largestGapBytes() {
    int gap = largestGap();
    return gap == ChunkTable.NONE ? 0 : chunks.bytes(gap);
  }

  /** The size of the largest free chunk, in a bin or a gap. */
  long largestBytes() {
    return Math.max(bins.largestBytes(), largestGapBytes());
  }
}
