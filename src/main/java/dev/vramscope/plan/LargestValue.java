package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The largest value of a parameter that fits a device, found by bisection. The next value was tried
 * and fails. What a program reserves does not always grow with the value, since segments are
 * rounded up and the cache is emptied at luckier moments: some larger values are tried too, all of
 * them if they are few.
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

  /** Larger values that are tried after the bisection. */
  private static final long MOST_LARGER = 12;

  private static final long MOST_LARGER_OF_LONG_RUNS = 2;

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
      Found found = new Found(0, null, firstFails);
      long step = 1;
      while (found.fits == 0 && found.fails > 1) {
        found = found.after(Math.max(1, found.fails - step));
        step *= 2;
      }
      found = halved(found);
      Found larger = larger(found, firstFails);
      if (larger != null) {
        found = halved(larger);
      }
      return new LargestValue(
          name,
          variant,
          size,
          found.fits == 0 ? OptionalLong.empty() : OptionalLong.of(found.fits),
          false,
          found.fitting,
          predicted(found.fails));
    }

    private Found halved(Found from) {
      Found found = from;
      while (found.fits > 0 && found.fails - found.fits > 1) {
        found = found.after(found.fits + (found.fails - found.fits) / 2);
      }
      return found;
    }

    /** A larger value that fits again, with one above it that fails; null if none was found. */
    private @Nullable Found larger(Found found, long firstFails) {
      long most = plan.isLong(others) ? MOST_LARGER_OF_LONG_RUNS : MOST_LARGER;
      long count = Math.min(most, firstFails - found.fails - 1);
      long fails = firstFails;
      for (long i = count; i > 0; i--) {
        long value = found.fails + (firstFails - found.fails) * i / (count + 1);
        Outcome outcome = tried(value);
        if (outcome.fits()) {
          return new Found(value, outcome, fails);
        }
        fails = value;
      }
      return null;
    }

    /** What is known: a value that fits, or 0, and a larger one that fails. */
    private final class Found {
      private final long fits;
      private final @Nullable Outcome fitting;
      private final long fails;

      Found(long fits, @Nullable Outcome fitting, long fails) {
        this.fits = fits;
        this.fitting = fitting;
        this.fails = fails;
      }

      /** What is known after a value between was tried. */
      Found after(long value) {
        Outcome outcome = tried(value);
        return outcome.fits() ? new Found(value, outcome, fails) : new Found(fits, fitting, value);
      }
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
