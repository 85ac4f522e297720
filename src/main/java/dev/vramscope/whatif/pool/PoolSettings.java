package dev.vramscope.whatif.pool;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The settings of a BFC allocator's pool, in the words of XLA and TensorFlow.
 *
 * @param preallocated whether the whole pool is acquired at the start ({@code
 *     XLA_PYTHON_CLIENT_PREALLOCATE}; in TensorFlow, no memory growth)
 * @param memoryFraction the part of the device's free memory that it may use, above 0 to 1 ({@code
 *     XLA_CLIENT_MEM_FRACTION}, {@code per_process_gpu_memory_fraction}); 1 beside a limit
 * @param limitBytes the most that it may use, if that is not a part of the device
 * @param fragmentationFraction {@code internal_fragmentation_fraction}: a rest of this part of the
 *     limit is always split off; 0 for the default, 128 MiB
 * @param releasesFreeRegions {@code TF_ENABLE_GPU_GARBAGE_COLLECTION}
 * @param twoEnds whether a preallocated pool serves requests at both ends, as that of JAX does
 * @param descending whether the addresses of regions descend, as those of the recording
 */
public record PoolSettings(
    boolean preallocated,
    double memoryFraction,
    OptionalLong limitBytes,
    double fragmentationFraction,
    boolean releasesFreeRegions,
    boolean twoEnds,
    boolean descending) {
  public PoolSettings {
    if (!(memoryFraction > 0 && memoryFraction <= 1)) {
      throw new IllegalArgumentException(
          "The memory fraction must be above 0 and at most 1, got " + memoryFraction);
    }
    if (!(fragmentationFraction >= 0 && fragmentationFraction <= 1)) {
      throw new IllegalArgumentException(
          "The fragmentation fraction must be from 0 to 1, got " + fragmentationFraction);
    }
    if (limitBytes.orElse(1) < 1) {
      throw new IllegalArgumentException("The limit must be above 0, got " + limitBytes);
    }
  }

  /** The pool of JAX with a part of the device. */
  public static PoolSettings jax(boolean preallocated, double memoryFraction) {
    return new PoolSettings(
        preallocated,
        memoryFraction,
        OptionalLong.empty(),
        0,
        /* releasesFreeRegions= */ false,
        /* twoEnds= */ true,
        /* descending= */ false);
  }

  /** Whether these are settings of {@link #jax}. */
  public boolean isJax() {
    return equals(jax(preallocated, memoryFraction));
  }

  public PoolSettings withPreallocated(boolean value) {
    return new PoolSettings(
        value,
        memoryFraction,
        limitBytes,
        fragmentationFraction,
        releasesFreeRegions,
        twoEnds,
        descending);
  }

  /** A part of the device instead of a limit in bytes. */
  public PoolSettings withFraction(double value) {
    return new PoolSettings(
        preallocated,
        value,
        OptionalLong.empty(),
        fragmentationFraction,
        releasesFreeRegions,
        twoEnds,
        descending);
  }

  /** A limit in bytes instead of a part of the device. */
  public PoolSettings withLimit(long bytes) {
    return new PoolSettings(
        preallocated,
        1,
        OptionalLong.of(bytes),
        fragmentationFraction,
        releasesFreeRegions,
        twoEnds,
        descending);
  }

  public PoolSettings withFragmentationFraction(double value) {
    return new PoolSettings(
        preallocated, memoryFraction, limitBytes, value, releasesFreeRegions, twoEnds, descending);
  }

  public PoolSettings withReleasesFreeRegions(boolean value) {
    return new PoolSettings(
        preallocated,
        memoryFraction,
        limitBytes,
        fragmentationFraction,
        value,
        twoEnds,
        descending);
  }

  /**
   * The options of the allocator.
   *
   * @param deviceBytes what the device has for it
   */
  public BfcOptions options(long deviceBytes) {
    BfcOptions jax =
        preallocated
            ? BfcOptions.jaxPreallocated(0, deviceBytes, memoryFraction)
            : BfcOptions.jaxGrowing(0, deviceBytes, memoryFraction);
    BfcOptions limited =
        limitBytes.isEmpty()
            ? jax
            : BfcOptions.of(jax.name(), limitBytes.getAsLong()).withGrowing(!preallocated);
    return limited
        .withPartitioned(preallocated && twoEnds)
        .withFragmentationFraction(fragmentationFraction)
        .withReleasesFreeRegions(releasesFreeRegions);
  }

  /** The text for a table. */
  public String label() {
    List<String> parts = new ArrayList<>();
    parts.add("BFC");
    parts.add(preallocated ? "preallocated" : "growing");
    if (limitBytes.isPresent()) {
      parts.add("limit " + ByteText.of(limitBytes.getAsLong()));
    } else {
      parts.add(String.format(Locale.ROOT, "%.2f", memoryFraction));
    }
    addRules(parts);
    return String.join(", ", parts);
  }

  private void addRules(List<String> parts) {
    if (fragmentationFraction > 0) {
      parts.add("internal_fragmentation_fraction=" + fragmentationFraction);
    }
    if (releasesFreeRegions) {
      parts.add("TF_ENABLE_GPU_GARBAGE_COLLECTION=true");
    }
  }

  /** The variables of a shell and the options of a program that set them. */
  public String line() {
    List<String> parts = new ArrayList<>();
    parts.add("XLA_PYTHON_CLIENT_PREALLOCATE=" + preallocated);
    if (limitBytes.isPresent()) {
      parts.add("memory_limit=" + limitBytes.getAsLong());
    } else {
      parts.add("XLA_CLIENT_MEM_FRACTION=" + memoryFraction);
    }
    addRules(parts);
    return String.join(" ", parts);
  }

  /** The same text for the same settings, in every version. */
  public String key() {
    String jax = preallocated + " " + memoryFraction;
    return isJax()
        ? jax
        : jax
            + " "
            + (limitBytes.isPresent() ? limitBytes.getAsLong() : "-")
            + " "
            + fragmentationFraction
            + " "
            + releasesFreeRegions
            + " "
            + twoEnds
            + " "
            + descending;
  }
}
