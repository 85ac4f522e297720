package dev.vramscope.allocator.bfc;

/**
 * The free chunks by size class. Bin b holds chunks from 256·2^b bytes to below twice that; the
 * last one everything from 256 MiB on.
 */
final class Bins {
  static final int COUNT = 21;

  private static final int LOG2_SMALLEST = 8;

  private final ChunkTable chunks;
  private final SortedRuns[] bins = new SortedRuns[COUNT];

  /** Bit b: bin b is not empty. */
  private int occupied;

  Bins(ChunkTable chunks) {
    this.chunks = chunks;
    for (int bin = 0; bin < COUNT; bin++) {
      bins[bin] = new SortedRuns(chunks);
    }
  }

  /** The bin for a size. */
  static int of(long bytes) {
    int log2 = 63 - Long.numberOfLeadingZeros(bytes | (1L << LOG2_SMALLEST));
    return Math.min(COUNT - 1, log2 - LOG2_SMALLEST);
  }

  /** The smallest size in a bin. */
  static long smallestBytes(int bin) {
    return 1L << (LOG2_SMALLEST + bin);
  }

  void insert(int slot) {
    int bin = of(chunks.bytes(slot));
    bins[bin].insert(slot);
    chunks.setBin(slot, bin);
    occupied |= 1 << bin;
  }

  void remove(int slot) {
    int bin = chunks.bin(slot);
    bins[bin].remove(slot);
    removed(slot, bin);
  }

  private void removed(int slot, int bin) {
    chunks.setBin(slot, ChunkTable.NO_BIN);
    if (bins[bin].isEmpty()) {
      occupied &= ~(1 << bin);
    }
  }

  /**
   * Takes out the best fit: the smallest suitable chunk, the lowest of equal ones.
   *
   * @return its slot, or {@link ChunkTable#NONE}
   */
  int take(long bytes, long alignment, AllocationAttributes attributes) {
    int candidates = occupied & (-1 << of(bytes));
    while (candidates != 0) {
      int bin = Integer.numberOfTrailingZeros(candidates);
      int slot = bins[bin].take(bytes, alignment, attributes);
      if (slot != ChunkTable.NONE) {
        removed(slot, bin);
        return slot;
      }
      candidates &= candidates - 1;
    }
    return ChunkTable.NONE;
  }

  /** The chunks of a bin, in order. */
  int[] slots(int bin) {
    return bins[bin].slots();
  }

  /** The size of the largest free chunk in a bin, or 0. */
  long largestBytes() {
    return occupied == 0
        ? 0
        : chunks.bytes(bins[31 - Integer.numberOfLeadingZeros(occupied)].last());
  }

  /** The size of the largest free chunk of one tag, or 0. */
  long largestBytes(int tag) {
    for (int bin = COUNT - 1; bin >= 0; bin--) {
      int slot = bins[bin].last(tag);
      if (slot != ChunkTable.NONE) {
        return chunks.bytes(slot);
      }
    }
    return 0;
  }

  /** Returns how many chunks are in bins. */
  int checkInvariants() {
    int count = 0;
    for (int bin = 0; bin < COUNT; bin++) {
      bins[bin].checkInvariants();
      int[] slots = bins[bin].slots();
      Laws.require((slots.length > 0) == ((occupied & (1 << bin)) != 0), "occupied bit", bin);
      for (int slot : slots) {
        Laws.require(chunks.bin(slot) == bin && of(chunks.bytes(slot)) == bin, "bin", slot);
        Laws.require(!chunks.isAllocated(slot), "allocated chunk in a bin", slot);
      }
      count += slots.length;
    }
    return count;
  }
}
