package dev.vramscope.allocator.bfc;

/**
 * Cuts a requested piece out of a free chunk. The chunk is in no bin; what is cut off goes there.
 */
final class Carving {
  private final ChunkTable chunks;
  private final FreeChunks free;
  private final long maxInternalFragmentationBytes;

  Carving(ChunkTable chunks, FreeChunks free, long maxInternalFragmentationBytes) {
    this.chunks = chunks;
    this.free = free;
    this.maxInternalFragmentationBytes = maxInternalFragmentationBytes;
  }

  /** Whether a chunk in a bin can serve the request: its end, its time, its place. */
  static boolean suits(
      ChunkTable chunks, int slot, long bytes, long alignment, AllocationAttributes attributes) {
    return chunks.tag(slot) == attributes.end().tag().ordinal()
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
   * Carves from the end that the request names.
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
      piece = split(slot, padding);
      chunks.setTag(slot, ChunkTable.LOWER);
      free.insert(slot);
    }
    if (isWorthSplitting(chunks.bytes(piece), bytes)) {
      free.insert(split(piece, bytes));
    }
    chunks.setTag(piece, ChunkTable.LOWER);
    return piece;
  }

  private int carveHigh(int slot, long bytes, long alignment) {
    int piece = slot;
    long before = chunks.highStart(slot, bytes, alignment) - chunks.address(slot);
    if (before > 0) {
      piece = split(slot, before);
      free.insert(slot);
    }
    chunks.setTag(piece, ChunkTable.UPPER);
    if (chunks.bytes(piece) > bytes) {
      free.insert(split(piece, bytes));
    }
    return piece;
  }

  private boolean isWorthSplitting(long chunkBytes, long bytes) {
    long rest = chunkBytes - bytes;
    return rest > 0 && rest >= Math.min(bytes, maxInternalFragmentationBytes);
  }

  /**
   * Cuts a chunk that is in no bin in two.
   *
   * @param bytes size of the left part, which keeps the slot
   * @return the right part, in no bin either
   */
  private int split(int slot, long bytes) {
    int right = chunks.create();
    chunks.setRange(right, chunks.address(slot) + bytes, chunks.bytes(slot) - bytes);
    chunks.setBytes(slot, bytes);
    chunks.setFreedAt(right, chunks.freedAt(slot));
    chunks.setTag(right, chunks.tag(slot));
    chunks.link(right, chunks.next(slot));
    chunks.link(slot, right);
    return right;
  }
}
