package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.model.AllocatorFamily;
import java.util.Locale;

/** The allocator and the settings of a replay. */
public sealed interface Variant {
  /** The algorithm. */
  AllocatorFamily family();

  /** The settings as text for a table. */
  String label();

  /**
   * PyTorch's caching allocator.
   *
   * @param settings a whole {@code PYTORCH_CUDA_ALLOC_CONF}; empty for the defaults
   * @param emptyCache when the cache is emptied
   */
  record Caching(String settings, EmptyCache emptyCache) implements Variant {
    /** These settings, and the cache emptied as recorded. */
    public Caching(String settings) {
      this(settings, EmptyCache.NEVER);
    }

    /** Whether PyTorch accepts the settings and they use expandable segments. */
    boolean isExpandable() {
      try {
        Configuration configuration = new Configuration();
        configuration.readInitial(settings, settings);
        return configuration.expandableSegments();
      } catch (ConfigurationException _) {
        return false;
      }
    }

    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.CACHING;
    }

    @Override
    public String label() {
      String text = settings.isEmpty() ? "default settings" : settings;
      return switch (emptyCache) {
        case NEVER -> text;
        case EACH_STEP -> text + ", empty_cache() at each step";
        case BEFORE_FAILED_STEP -> text + ", empty_cache() before the failed step";
      };
    }
  }

  /**
   * XLA's BFC allocator.
   *
   * @param preallocated whether its memory is acquired at the start ({@code
   *     XLA_PYTHON_CLIENT_PREALLOCATE})
   * @param memoryFraction the part of the device's free memory that it may use, above 0 to 1
   *     ({@code XLA_CLIENT_MEM_FRACTION})
   */
  record Bfc(boolean preallocated, double memoryFraction) implements Variant {
    public Bfc {
      if (!(memoryFraction > 0 && memoryFraction <= 1)) {
        throw new IllegalArgumentException(
            "The memory fraction must be above 0 and at most 1, got " + memoryFraction);
      }
    }

    /** A pool whose memory is acquired at the start. */
    public static Bfc preallocated(double memoryFraction) {
      return new Bfc(/* preallocated= */ true, memoryFraction);
    }

    /** A pool that grows. */
    public static Bfc growing(double memoryFraction) {
      return new Bfc(/* preallocated= */ false, memoryFraction);
    }

    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.BFC;
    }

    @Override
    public String label() {
      return String.format(
          Locale.ROOT, "BFC, %s, %.2f", preallocated ? "preallocated" : "growing", memoryFraction);
    }
  }

  /** The driver without a cache. */
  record Direct() implements Variant {
    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.DIRECT;
    }

    @Override
    public String label() {
      return "no cache";
    }
  }
}
