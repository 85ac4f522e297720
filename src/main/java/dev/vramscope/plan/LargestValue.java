package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
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
 * @param fitting the run at this value on the device, or at the largest recorded one if memory does
 *     not grow; null if none fits
 * @param failing the run at the next value; null if there is none that fails
 */
public record LargestValue(
    String name,
    Variant.Caching variant,
    DeviceSize size,
    OptionalLong value,
    boolean isUnlimited,
    @Nullable Outcome fitting,
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
      return below(firstAbove(available, tooLarge));
    }

    private LargestValue withoutEnd(long recorded) {
      Outcome tried = tried(recorded);
      return new LargestValue(
          name,
          variant,
          size,
          OptionalLong.empty(),
          tried.fits(),
          tried.fits() ? tried : null,
          tried.fits() ? null : predicted(recorded));
    }

    /**
     * Goes down from a value that fails, in growing steps, and then halves the rest. Values that
     * fail are tried first, since their replays end early.
     */
    private LargestValue below(long firstFails) {
      long fails = firstFails;
      long fits = 0;
      Outcome fitting = null;
      long step = 1;
      while (fails - fits > 1) {
        long next = fits == 0 ? Math.max(1, fails - step) : fits + (fails - fits) / 2;
        Outcome outcome = tried(next);
        if (outcome.fits()) {
          fits = next;
          fitting = outcome;
        } else {
          fails = next;
          step *= 2;
        }
      }
      return new LargestValue(
          name,
          variant,
          size,
          fits == 0 ? OptionalLong.empty() : OptionalLong.of(fits),
          false,
          fitting,
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

    private Outcome tried(long value) {
      return plan.tried(at(value), variant, size, progress);
    }

    private Prediction predicted(long value) {
      return plan.predict(at(value), variant, size, progress);
    }
  }
}
