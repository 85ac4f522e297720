package dev.vramscope.allocator.bfc;

/**
 * Cuts a requested piece out of a free chunk. The chunk is in no bin; what is cut off goes there.
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

  /** Whether a chunk in a bin can serve the request: its end, its time, its place. */
  static boolean suits(
      ChunkTable chunks, int slot, long bytes, long alignment, AllocationAttributes attributes) {
    return chunks.tag(slot) == attributes.end().tagNumber()
        && suitsGap(chunks, slot, bytes, alignment, attributes);
  }

  /** Whether a chunk that is of no end can serve the request. */
  static boolean suitsGap(
      ChunkTable chunks, int slot, long bytes, long alignment, AllocationAttributes attributes) {
    return wasFreedInTime(chunks, slot, attributes.freedByCount())
        && (attributes.end() == AllocationEnd.UPPER
            ? chunks.fitsHigh(slot, bytes, alignment)
            : chunks.fitsLow(slot, bytes, alignment));
  }

  private static boolean wasFreedInTime(ChunkTable chunks, int slot, long freedByCount) {
    return freedByCount == 0 || chunks.freedAt(slot) <= freedByCount;
  }

  /**
   * Carves from the end that the request names. The piece gets its tag when it is handed out.
   *
   * @return the slot of the piece
   */
  int carve(int slot, long bytes, long alignment, AllocationEnd end) {
    return end == AllocationEnd.UPPER
        ? carveHigh(slot, bytes, alignment)
        : carveLow(slot, bytes, alignment);
  }

  private int carveLow(int slot, long bytes, long alignment) {
    int piece = slot;
    long padding = chunks.lowPadding(slot, alignment);
    if (padding > 0) {
      piece = chunks.split(slot, padding);
      chunks.setTag(slot, ChunkTable.LOWER);
      free.insert(slot);
    }
    if (isWorthSplitting(chunks.bytes(piece), bytes)) {
      free.insert(chunks.split(piece, bytes));
    }
    return piece;
  }

  private int carveHigh(int slot, long bytes, long alignment) {
    int piece = slot;
    long before = chunks.highStart(slot, bytes, alignment) - chunks.address(slot);
    if (before > 0) {
      piece = chunks.split(slot, before);
      free.insert(slot);
    }
    chunks.setTag(piece, ChunkTable.UPPER);
    if (chunks.bytes(piece) > bytes) {
      free.insert(chunks.split(piece, bytes));
    }
    return piece;
  }

  private boolean isWorthSplitting(long chunkBytes, long bytes) {
    long rest = chunkBytes - bytes;
    return rest > 0 && rest >= Math.min(bytes, maxInternalFragmentationBytes);
  }
}
