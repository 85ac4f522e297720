package dev.vramscope.allocator.pinned;

/**
 * The {@code pinned_*} settings that decide what is cached.
 *
 * @param maxRoundBytes larger requests are not rounded to a power of two ({@code
 *     pinned_max_round_threshold_mb})
 * @param maxCachedBytes larger blocks are given back as soon as they are free ({@code
 *     pinned_max_cached_size_mb})
 * @param reserveBytes what is taken at once with the first request, to be handed out in pieces; 0
 *     for none ({@code pinned_reserve_segment_size_mb})
 */
public record PinnedSettings(long maxRoundBytes, long maxCachedBytes, long reserveBytes) {
  /** Everything is rounded and cached, nothing is reserved. */
  public static final PinnedSettings DEFAULT =
      new PinnedSettings(Long.MAX_VALUE, Long.MAX_VALUE, 0);

  private static final long PAGE_BYTES = 4096;

  public PinnedSettings {
    if (maxRoundBytes < 0 || maxCachedBytes < 0 || reserveBytes < 0) {
      throw new IllegalArgumentException(
          "Sizes are not negative, got "
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

  /** Pieces of the reserve begin at pages, as what the driver gives does. */
  static long wholePages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  /** The next power of two. */
  static long powerOfTwo(long bytes) {
    return bytes <= 1 ? 1 : Long.highestOneBit(bytes - 1) << 1;
  }
}
