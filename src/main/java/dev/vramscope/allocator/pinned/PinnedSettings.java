package dev.vramscope.allocator.pinned;

/**
 * The {@code pinned_*} settings that decide what is cached.
 *
 * @param maxRoundBytes larger requests are not rounded up to a power of two ({@code
 *     pinned_max_round_threshold_mb})
 * @param maxCachedBytes larger blocks are released as soon as they are free ({@code
 *     pinned_max_cached_size_mb})
 * @param reserveBytes size of the reserve, which the first request allocates in one driver call and
 *     which serves later requests; 0 for none ({@code pinned_reserve_segment_size_mb})
 */
public record PinnedSettings(long maxRoundBytes, long maxCachedBytes, long reserveBytes) {
  /** All requests are rounded and cached, and there is no reserve. */
  public static final PinnedSettings DEFAULT =
      new PinnedSettings(Long.MAX_VALUE, Long.MAX_VALUE, 0);

  private static final long PAGE_BYTES = 4096;

  public PinnedSettings {
    if (maxRoundBytes < 0 || maxCachedBytes < 0 || reserveBytes < 0) {
      throw new IllegalArgumentException(
          "Sizes must not be negative, got "
              + maxRoundBytes
              + ", "
              + maxCachedBytes
              + " and "
              + reserveBytes
              + ".");
    }
  }

  long roundedBytes(long bytes) {
    return bytes > maxRoundBytes ? bytes : powerOfTwo(bytes);
  }

  /** Blocks in the reserve start at a page boundary, as allocations of the driver do. */
  static long wholePages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  /** The smallest power of two that is not less. */
  static long powerOfTwo(long bytes) {
    return bytes <= 1 ? 1 : Long.highestOneBit(bytes - 1) << 1;
  }
}
