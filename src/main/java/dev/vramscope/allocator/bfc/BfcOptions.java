package dev.vramscope.allocator.bfc;

/**
 * The original's options.
 *
 * @param name stands in logs
 * @param limitBytes what the pool may hold
 * @param growing start with 2 MiB and double; otherwise ask for the limit at the first request
 * @param releasesFreeRegions give free regions back to the device when a larger one is needed
 * @param retries wait for frees before a request fails
 * @param fragmentationFraction share of the limit from which the rest of a chunk is split off in
 *     any case; 0 for 128 MiB
 * @param partitioned serve the two ends of a region separately; needs a pool that does not grow
 */
public record BfcOptions(
    String name,
    long limitBytes,
    boolean growing,
    boolean releasesFreeRegions,
    boolean retries,
    double fragmentationFraction,
    boolean partitioned) {
  private static final long MIB = 1L << 20;
  private static final long JAX_LIMIT_MULTIPLE = 2 * MIB;
  private static final long DEFAULT_MAX_INTERNAL_FRAGMENTATION_BYTES = 128 * MIB;

  public BfcOptions {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("The limit is 0 bytes or more, got " + limitBytes + ".");
    }
    if (!(fragmentationFraction >= 0 && fragmentationFraction <= 1)) {
      throw new IllegalArgumentException(
          "The fragmentation fraction is from 0 to 1, got " + fragmentationFraction + ".");
    }
    if (partitioned && growing) {
      throw new IllegalArgumentException(
          "A partitioned pool cannot grow: partition it or let it grow.");
    }
  }

  /**
   * As JAX makes it for a GPU: everything at once, partitioned.
   *
   * @param ordinal the device's number
   * @param fraction the share of the device, 0.75 unless said otherwise
   */
  public static BfcOptions jaxPreallocated(int ordinal, long deviceBytes, double fraction) {
    return jax(ordinal, deviceBytes, fraction, false);
  }

  /** As JAX makes it with {@code XLA_PYTHON_CLIENT_PREALLOCATE=false}. */
  public static BfcOptions jaxGrowing(int ordinal, long deviceBytes, double fraction) {
    return jax(ordinal, deviceBytes, fraction, true);
  }

  private static BfcOptions jax(int ordinal, long deviceBytes, double fraction, boolean growing) {
    long limitBytes = roundUp((long) (deviceBytes * fraction), JAX_LIMIT_MULTIPLE);
    return new BfcOptions("GPU_" + ordinal + "_bfc", limitBytes, growing, false, true, 0, !growing);
  }

  /** From this size on the rest of a chunk is split off in any case. */
  long maxInternalFragmentationBytes() {
    return fragmentationFraction > 0
        ? (long) (fragmentationFraction * limitBytes)
        : DEFAULT_MAX_INTERNAL_FRAGMENTATION_BYTES;
  }

  private static long roundUp(long value, long powerOfTwo) {
    return (value + powerOfTwo - 1) & -powerOfTwo;
  }
}
