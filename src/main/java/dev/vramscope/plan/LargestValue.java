package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The largest value of a parameter that fits a device, found by bisection. The next value was tried
 * and fails; on rare runs a still larger one fits again, because the cache was emptied at a luckier
 * moment.
 *
 * @param name of the parameter
 * @param value empty if no value fits, or if memory does not grow with the parameter
 * @param isUnlimited whether memory does not grow with the parameter
 * @param fitting the run at this value, or at the smallest value that was tried; null if none fits
 * @param failing the run at the next value; null if there is none that fails
 */
public record LargestValue(
    String name,
    Variant.Caching variant,
    DeviceSize size,
    OptionalLong value,
    boolean isUnlimited,
    @Nullable Prediction fitting,
    @Nullable Prediction failing) {
  /** No batch and no length is larger. */
  private static final long MOST = 1L << 32;

  /**
   * Finds the value.
   *
   * @param others the values of the other parameters; that of the searched one is not used
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static LargestValue of(
      Plan plan,
      String name,
      Values others,
      Variant.Caching variant,
      DeviceSize size,
      Progress progress) {
    return new Search(plan, name, others, variant, size, progress).find();
  }

  /** One search. */
  private static final class Search {
    private final Plan plan;
    private final String name;
    private final Values others;
    private final Variant.Caching variant;
    private final DeviceSize size;
    private final Progress progress;
    private final long available;

    Search(
        Plan plan,
        String name,
        Values others,
        Variant.Caching variant,
        DeviceSize size,
        Progress progress) {
      this.plan = plan;
      this.name = name;
      this.others = others;
      this.variant = variant;
      this.size = size;
      this.progress = progress;
      available = size.totalBytes().orElse(Long.MAX_VALUE) - size.othersBytes();
    }

    LargestValue find() {
      long recorded =
          plan.recordings().stream()
              .mapToLong(recording -> recording.values().get(name))
              .max()
              .orElseThrow();
      long tooLarge = recorded;
      while (least(tooLarge) <= available) {
        tooLarge *= 2;
        if (tooLarge > MOST) {
          return withoutEnd(recorded);
        }
      }
      // The requested bytes alone do not fit from here on; no replay is needed to know it.
      long fails = firstAbove(available, tooLarge);
      long guess = fails - 1;
      if (guess > 0) {
        // The allocator needs more than what is requested, by about the same part at similar sizes.
        double overhead =
            (double) plan.unlimited(at(guess), variant, progress).peakReservedBytes()
                / Math.max(1, least(guess));
        guess = firstAbove((long) (available / overhead), fails) - 1;
      }
      return between(fails, guess);
    }

    private LargestValue withoutEnd(long recorded) {
      boolean fits = fits(recorded);
      Prediction tried = predicted(recorded);
      return new LargestValue(
          name,
          variant,
          size,
          OptionalLong.empty(),
          fits,
          fits ? tried : null,
          fits ? null : tried);
    }

    /** Goes from a guess in growing steps to a value that fits below one that fails. */
    private LargestValue between(long firstFails, long guess) {
      long fails = firstFails;
      long fits = 0;
      long next = Math.clamp(guess, Math.min(1, fails - 1), fails - 1);
      long step = 1;
      while (fails - fits > 1) {
        if (fits(next)) {
          fits = next;
          next = Math.min(fails - 1, next + step);
        } else {
          fails = next;
          next = Math.max(fits + 1, next - step);
        }
        step *= 2;
        if (fits > 0 && step >= fails - fits) {
          next = fits + (fails - fits) / 2;
        }
      }
      return new LargestValue(
          name,
          variant,
          size,
          fits == 0 ? OptionalLong.empty() : OptionalLong.of(fits),
          false,
          fits == 0 ? null : predicted(fits),
          predicted(fails));
    }

    /** The smallest value at which more is requested, up to one at which it is. */
    private long firstAbove(long bytes, long above) {
      long low = 0;
      long high = above;
      while (high - low > 1) {
        long middle = low + (high - low) / 2;
        if (least(middle) > bytes) {
          high = middle;
        } else {
          low = middle;
        }
      }
      return high;
    }

    private Values at(long value) {
      return others.with(name, value);
    }

    private long least(long value) {
      return plan.leastBytes(at(value));
    }

    private boolean fits(long value) {
      return plan.fits(at(value), variant, size, progress);
    }

    private Prediction predicted(long value) {
      return plan.predict(at(value), variant, size, progress);
    }
  }
}
