package dev.vramscope.allocator.bfc;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options of XLA's BFC allocator.
 *
 * @param name used in logs
 * @param limitBytes upper bound of the pool's size
 * @param growing start with a region of 2 MiB and double it; otherwise request the whole limit at
 *     the first allocation
 * @param releasesFreeRegions release free regions to the device when a larger one is needed
 * @param retries wait for other threads to free memory before a request fails
 * @param fragmentationFraction share of the limit; a remainder of at least this size is always
 *     split off a chunk; 0 for 128 MiB
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
  /** JAX's default of {@code XLA_CLIENT_MEM_FRACTION}. */
  public static final double JAX_FRACTION = 0.75;

  private static final long MIB = 1L << 20;
  private static final long JAX_LIMIT_MULTIPLE = 2 * MIB;
  private static final long DEFAULT_MAX_INTERNAL_FRAGMENTATION_BYTES = 128 * MIB;

  public BfcOptions {
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "The limit must be 0 bytes or more, got " + limitBytes + ".");
    }
    if (!(fragmentationFraction >= 0 && fragmentationFraction <= 1)) {
      throw new IllegalArgumentException(
          "The fragmentation fraction must be from 0 to 1, got " + fragmentationFraction + ".");
    }
    if (partitioned && growing) {
      throw new IllegalArgumentException("A partitioned pool cannot grow.");
    }
  }

  /** A pool of one region that is requested at the first allocation, and requests that retry. */
  public static BfcOptions of(String name, long limitBytes) {
    return new BfcOptions(
        name,
        limitBytes,
        /* growing= */ false,
        /* releasesFreeRegions= */ false,
        /* retries= */ true,
        0,
        /* partitioned= */ false);
  }

  public BfcOptions withGrowing(boolean value) {
    return new BfcOptions(
        name, limitBytes, value, releasesFreeRegions, retries, fragmentationFraction, partitioned);
  }

  public BfcOptions withReleasesFreeRegions(boolean value) {
    return new BfcOptions(
        name, limitBytes, growing, value, retries, fragmentationFraction, partitioned);
  }

  public BfcOptions withRetries(boolean value) {
    return new BfcOptions(
        name, limitBytes, growing, releasesFreeRegions, value, fragmentationFraction, partitioned);
  }

  public BfcOptions withFragmentationFraction(double value) {
    return new BfcOptions(
        name, limitBytes, growing, releasesFreeRegions, retries, value, partitioned);
  }

  public BfcOptions withPartitioned(boolean value) {
    return new BfcOptions(
        name, limitBytes, growing, releasesFreeRegions, retries, fragmentationFraction, value);
  }

  /**
   * The options that JAX uses for a GPU by default: preallocated and partitioned.
   *
   * @param ordinal the device's number
   * @param fraction the share of the device's memory, JAX's default is 0.75
   */
  public static BfcOptions jaxPreallocated(int ordinal, long deviceBytes, double fraction) {
    return jax(ordinal, deviceBytes, fraction, /* growing= */ false);
  }

  /** The options that JAX uses with {@code XLA_PYTHON_CLIENT_PREALLOCATE=false}. */
  public static BfcOptions jaxGrowing(int ordinal, long deviceBytes, double fraction) {
    return jax(ordinal, deviceBytes, fraction, /* growing= */ true);
  }

  private static BfcOptions jax(int ordinal, long deviceBytes, double fraction, boolean growing) {
    long limitBytes = roundUp((long) (deviceBytes * fraction), JAX_LIMIT_MULTIPLE);
    return of("GPU_" + ordinal + "_bfc", limitBytes).withGrowing(growing).withPartitioned(!growing);
  }

  /** A remainder of at least this size is always split off a chunk. */
  long maxInternalFragmentationBytes() {
    return fragmentationFraction > 0
        ? (long) (fragmentationFraction * limitBytes)
        : DEFAULT_MAX_INTERNAL_FRAGMENTATION_BYTES;
  }

  /** The options as snapshots contain them, by the names that hosted allocators accept. */
  Map<String, String> asRecorded() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("memory_limit", Long.toString(limitBytes));
    settings.put("allow_growth", Boolean.toString(growing));
    settings.put("garbage_collection", Boolean.toString(releasesFreeRegions));
    settings.put("allow_retry_on_failure", Boolean.toString(retries));
    settings.put("fragmentation_fraction", Double.toString(fragmentationFraction));
    settings.put("enable_spatial_partitioning", Boolean.toString(partitioned));
    return settings;
  }

  private static long roundUp(long value, long powerOfTwo) {
    return (value + powerOfTwo - 1) & -powerOfTwo;
  }
}
