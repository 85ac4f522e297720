package dev.vramscope.allocator.caching;

import static dev.vramscope.allocator.caching.configuration.Configuration.MIB;

import dev.vramscope.allocator.caching.configuration.Configuration;

/** How a request becomes a block size, and a block size a segment size. */
final class SizeRules {
  /** The smallest block; every size and every offset in a segment is a multiple of it. */
  static final long MIN_BLOCK_BYTES = 512;

  private static final int LOG2_MIN_BLOCK = 9;

  /** Requests up to this size come from the small pool. */
  static final long LARGEST_SMALL_BYTES = MIB;

  /** Segments, and pages, of the small pool. */
  static final long SMALL_SEGMENT_BYTES = 2 * MIB;

  /** Requests from this size on get a segment of their own size. */
  private static final long LEAST_OWN_SEGMENT_BYTES = 10 * MIB;

  private static final long OWN_SEGMENT_STEP_BYTES = 2 * MIB;

  private static final int LOG2_OF_MIB = 20;

  /** No block and no device has so much, and sums with it stay below 2^63. */
  private static final long NEVER_FOUND_BYTES = 1L << 62;

  private final Configuration configuration;

  SizeRules(Configuration configuration) {
    this.configuration = configuration;
  }

  static boolean isSmall(long blockBytes) {
    return Long.compareUnsigned(blockBytes, LARGEST_SMALL_BYTES) <= 0;
  }

  /** What to look for in place of an unsigned size: the same, but for sizes that never fit. */
  static long soughtBytes(long bytes) {
    return bytes >= 0 ? Math.min(bytes, NEVER_FOUND_BYTES) : NEVER_FOUND_BYTES;
  }

  /** The size of the block that serves a request; both unsigned. */
  long roundedBytes(long requestedBytes) {
    if (Long.compareUnsigned(requestedBytes, MIN_BLOCK_BYTES) < 0) {
      return MIN_BLOCK_BYTES;
    }
    int log2 = 63 - Long.numberOfLeadingZeros(requestedBytes);
    int interval = Math.clamp(log2 - LOG2_OF_MIB, 0, Configuration.ROUNDING_INTERVALS - 1);
    long divisions = configuration.roundupPower2Divisions()[interval];
    if (Long.compareUnsigned(divisions, 1) > 0
        && Long.compareUnsigned(divisions, requestedBytes >>> LOG2_MIN_BLOCK) <= 0
        && requestedBytes != divisions * MIN_BLOCK_BYTES) {
      return nextDivision(requestedBytes, log2, divisions);
    }
    return roundUp(requestedBytes, MIN_BLOCK_BYTES);
  }

  /** The next of {@code divisions} equal steps from one power of two to the next. */
  private static long nextDivision(long bytes, int log2, long divisions) {
    // The step is never 0: requests of at least 512 * divisions come here.
    long step = (1L << log2) >>> Long.numberOfTrailingZeros(divisions);
    return roundUp(bytes, step);
  }

  /** What is asked of the device when no free block serves a block of this size; both unsigned. */
  long segmentBytes(long blockBytes) {
    if (isSmall(blockBytes)) {
      return SMALL_SEGMENT_BYTES;
    }
    if (Long.compareUnsigned(blockBytes, LEAST_OWN_SEGMENT_BYTES) < 0) {
      return configuration.largeSegmentBytes();
    }
    return roundUp(blockBytes, OWN_SEGMENT_STEP_BYTES);
  }

  /** The unit in which an expandable segment is mapped. */
  long pageBytes(boolean small) {
    return small ? SMALL_SEGMENT_BYTES : configuration.largeSegmentBytes();
  }

  /** Saturates: the original goes on to 0 here, and would hand out nothing for everything. */
  private static long roundUp(long bytes, long step) {
    long rounded = (bytes + step - 1) & -step;
    return rounded == 0 ? -step : rounded;
  }
}
