package dev.vramscope.model.pool;

import dev.vramscope.model.SizeRules;

/**
 * The size arithmetic of XLA's BFC allocator: from a request to its chunk, and from a chunk to its
 * bin.
 */
public final class ChunkRules {
  /** Every size of a chunk and every offset in a region is a multiple of it. */
  public static final long UNIT_BYTES = 256;

  /** A rest of this size is always split off, unless a fraction of the limit is set. */
  public static final long MAX_WASTE_BYTES = 128L << 20;

  /** The number of bins: each begins at twice the size of the one before; the last has no end. */
  public static final int BIN_COUNT = 21;

  private static final int LOG2_SMALLEST_BIN = 8;

  private ChunkRules() {}

  /** The size of the smallest chunk that serves a request; saturates. */
  public static long rounded(long requestedBytes) {
    return Math.ceilDiv(SizeRules.clamped(requestedBytes), UNIT_BYTES) * UNIT_BYTES;
  }

  /** What remains of a size in whole units, such as the region of a preallocated pool. */
  public static long wholeUnits(long bytes) {
    return bytes / UNIT_BYTES * UNIT_BYTES;
  }

  /** The bin of chunks of a size. */
  public static int bin(long bytes) {
    int log2 = 63 - Long.numberOfLeadingZeros(Math.max(bytes, smallestBytes(0)));
    return Math.min(BIN_COUNT - 1, log2 - LOG2_SMALLEST_BIN);
  }

  /** The smallest size of a chunk in a bin. */
  public static long smallestBytes(int bin) {
    return 1L << (LOG2_SMALLEST_BIN + bin);
  }
}
