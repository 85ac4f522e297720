package dev.vramscope.allocator.bfc;

/**
 * Splits a block of the requested size off a free chunk. The chunk itself is in no bin; remainders
 * are inserted into their bins.
 */
final class Splitting {
  private final ChunkTable chunks;
  private final FreeChunks free;
  private final long maxInternalFragmentationBytes;

  Splitting(ChunkTable chunks, FreeChunks free, long maxInternalFragmentationBytes) {
    this.chunks = chunks;
    this.free = free;
    this.maxInternalFragmentationBytes = maxInternalFragmentationBytes;
  }

  /** Whether a binned chunk can serve the request: tag, free count, size and alignment. */
  static boolean suits(
      ChunkTable chunks, int slot, long bytes, long alignment, AllocationAttributes attributes) {
    return chunks.tag(slot) == attributes.end().tagNumber()
        && suitsGap(chunks, slot, bytes, alignment, attributes);
  }

  /** Whether a central gap can serve the request. */
  static boolean suitsGap(
      ChunkTable chunks, int slot, long bytes, long alignment, AllocationAttributes attributes) {
    return isFreedBy(chunks, slot, attributes.freedByCount())
        && (attributes.end() == AllocationEnd.UPPER
            ? chunks.fitsHigh(slot, bytes, alignment)
            : chunks.fitsLow(slot, bytes, alignment));
  }

  private static boolean isFreedBy(ChunkTable chunks, int slot, long freedByCount) {
    return freedByCount == 0 || chunks.freedAt(slot) <= freedByCount;
  }

  /**
   * Splits off the block at the requested end. The block gets its tag when it is allocated.
   *
   * @return the slot of the block
   */
  int split(int slot, long bytes, long alignment, AllocationEnd end) {
    return end == AllocationEnd.UPPER
        ? splitHigh(slot, bytes, alignment)
        : splitLow(slot, bytes, alignment);
  }

  private int splitLow(int slot, long bytes, long alignment) {
    int block = slot;
    long padding = chunks.lowPadding(slot, alignment);
    if (padding > 0) {
      block = chunks.split(slot, padding);
      chunks.setTag(slot, ChunkTable.LOWER);
      free.insert(slot);
    }
    if (isWorthSplitting(chunks.bytes(block), bytes)) {
      free.insert(chunks.split(block, bytes));
    }
    return block;
  }

  private int splitHigh(int slot, long bytes, long alignment) {
    int block = slot;
    long before = chunks.highStart(slot, bytes, alignment) - chunks.address(slot);
    if (before > 0) {
      block = chunks.split(slot, before);
      free.insert(slot);
    }
    chunks.setTag(block, ChunkTable.UPPER);
    if (chunks.bytes(block) > bytes) {
      free.insert(chunks.split(block, bytes));
    }
    return block;
  }

  private boolean isWorthSplitting(long chunkBytes, long bytes) {
    long remainder = chunkBytes - bytes;
    return remainder > 0 && remainder >= Math.min(bytes, maxInternalFragmentationBytes);
  }
}
