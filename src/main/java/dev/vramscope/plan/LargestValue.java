package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The largest value of a parameter that fits a device, found by bisection. The next value was tried
 * and fails. What a program reserves does not always grow with the value, since segments are
 * rounded up and the cache is emptied at other moments: larger values whose requested bytes would
 * fit are tried too, all of them if they are few, and some smaller ones.
 *
 * @param name of the parameter
 * @param value empty if no value fits, or if memory does not grow with the parameter
 * @param end what is known of larger values
 * @param fitting the run at this value on the device, or at the largest recorded one if memory does
 *     not grow; null if none fits
 * @param failing the run at the next value; null if there is none that fails
 * @param smallerFailing smaller values that fail, ascending; not all were tried
 * @param range where the largest value lies; null if the recordings determine all sizes
 */
public record LargestValue(
    String name,
    Variant.Caching variant,
    DeviceSize size,
    OptionalLong value,
    End end,
    @Nullable Outcome fitting,
    @Nullable Prediction failing,
    List<Long> smallerFailing,
    @Nullable Range range) {
  /** Sizes that differ by less do not matter. */
  private static final long NOTABLE_BYTES = 1 << 20;

  /** Rounds in which larger values are tried after the bisection. */
  private static final int MOST_ROUNDS = 8;

  /** Values just below the largest that are tried too. */
  private static final int MOST_SMALLER = 6;

  private static final long MOST_EXHAUSTED = 10_000;

  public LargestValue {
    smallerFailing = List.copyOf(smallerFailing);
  }

  /** What is known of larger values. */
  public enum End {
    /** All fail. */
    EXHAUSTED,
    /** Some were tried and fail. */
    SAMPLED,
    /** The value is the largest that can be asked. */
    AT_LEAST,
    /** Memory does not grow with the parameter: every value fits. */
    EVERY
  }

  /**
   * The largest values that fit if sizes that the recordings do not determine grow as much, or as
   * little, as they may.
   *
   * @param least 0 if none was found
   */
  public record Range(long least, long most) {}

  /** Whether memory does not grow with the parameter, so that every value fits. */
  public boolean isUnlimited() {
    return end == End.EVERY;
  }

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
      ParameterValues others,
      Variant.Caching variant,
      DeviceSize size,
      Progress progress) {
    LargestValue likely = new Search(plan, name, others, variant, size, progress).find();
    if (likely.value.isEmpty() || !isUncertain(plan, others.with(name, likely.value.getAsLong()))) {
      return likely;
    }
    LargestValue least =
        new Search(plan.bounded(Bound.MOST), name, others, variant, size, progress).find();
    LargestValue most =
        new Search(plan.bounded(Bound.LEAST), name, others, variant, size, progress).find();
    return likely.within(
        new Range(
            Math.min(least.value.orElse(0), likely.value.getAsLong()),
            Math.max(most.value.orElse(0), likely.value.getAsLong())));
  }

  /** Whether blocks may have notably other sizes at some values. */
  private static boolean isUncertain(Plan plan, ParameterValues values) {
    long[] least = plan.bounded(Bound.LEAST).fitted(values).bytesOfLawsAt(values);
    long[] most = plan.bounded(Bound.MOST).fitted(values).bytesOfLawsAt(values);
    long difference = 0;
    for (int law = 0; law < least.length; law++) {
      difference += Math.abs(most[law] - least[law]);
    }
    return difference > NOTABLE_BYTES;
  }

  /** Whether other values are possible. */
  public boolean isRange() {
    return range != null && range.least != range.most;
  }

  private LargestValue within(Range other) {
    return new LargestValue(
        name, variant, size, value, end, fitting, failing, smallerFailing, other);
  }

  /** One search. */
  private static final class Search {
    private final Plan plan;
    private final String name;
    private final ParameterValues others;
    private final Variant.Caching variant;
    private final DeviceSize size;
    private final Progress progress;
    private final long available;

    Search(
        Plan plan,
        String name,
        ParameterValues others,
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
      if (!plan.isGrowingWith(name, at(recorded))) {
        return withoutGrowth(recorded);
      }
      long tooLarge = recorded;
      while (least(tooLarge) <= available) {
        if (tooLarge == ParameterValues.MOST) {
          return outcome(tooLarge).fits() ? atLeast(tooLarge) : below(tooLarge);
        }
        tooLarge = Math.min(ParameterValues.MOST, 2 * tooLarge);
      }
      // The requested bytes alone do not fit from here on; no replay is needed to know it.
      return below(firstAbove(available, tooLarge));
    }

    private LargestValue withoutGrowth(long recorded) {
      Outcome outcome = outcome(recorded);
      return new LargestValue(
          name,
          variant,
          size,
          OptionalLong.empty(),
          outcome.fits() ? End.EVERY : End.EXHAUSTED,
          outcome.fits() ? outcome : null,
          outcome.fits() ? null : predicted(recorded),
          List.of(),
          /* range= */ null);
    }

    private LargestValue atLeast(long most) {
      return new LargestValue(
          name,
          variant,
          size,
          OptionalLong.of(most),
          End.AT_LEAST,
          outcome(most),
          /* failing= */ null,
          List.of(),
          /* range= */ null);
    }

    /**
     * Goes down from a value that fails, in growing steps, and then halves the rest. Values that
     * fail are tried first, since their replays end early.
     */
    private LargestValue below(long firstFails) {
      Bounds bounds = new Bounds(0, null, firstFails);
      long step = 1;
      while (bounds.fits == 0 && bounds.fails > 1) {
        bounds = bounds.after(Math.max(1, bounds.fails - step));
        step *= 2;
      }
      bounds = halved(bounds);
      Bounds larger = larger(bounds, firstFails);
      for (int i = 0; larger != null && i < MOST_ROUNDS; i++) {
        bounds = halved(larger);
        larger = larger(bounds, firstFails);
      }
      return new LargestValue(
          name,
          variant,
          size,
          bounds.fits == 0 ? OptionalLong.empty() : OptionalLong.of(bounds.fits),
          isExhausted(bounds.fails, firstFails) ? End.EXHAUSTED : End.SAMPLED,
          bounds.fitting,
          predicted(bounds.fails),
          smallerFailing(bounds.fits),
          /* range= */ null);
    }

    private Bounds halved(Bounds from) {
      Bounds bounds = from;
      while (bounds.fits > 0 && bounds.fails - bounds.fits > 1) {
        bounds = bounds.after(bounds.fits + (bounds.fails - bounds.fits) / 2);
      }
      return bounds;
    }

    /** The largest value found that fits again, with one above it that fails; null without one. */
    private @Nullable Bounds larger(Bounds bounds, long firstFails) {
      long fails = firstFails;
      for (long value : candidates(bounds, firstFails).descendingSet()) {
        Outcome outcome = outcome(value);
        if (outcome.fits()) {
          return new Bounds(value, outcome, fails);
        }
        fails = value;
      }
      return null;
    }

    /** All that was replayed before, those just above, and some between there and the end. */
    private NavigableSet<Long> candidates(Bounds bounds, long firstFails) {
      NavigableSet<Long> candidates =
          new TreeSet<>(
              plan.replays()
                  .replayed(name, others, variant)
                  .subSet(bounds.fails, false, firstFails, false));
      long between = firstFails - bounds.fails - 1;
      long probes = Math.min(plan.probeCount(others), between);
      long dense = probes == between ? probes : probes / 2;
      for (long i = 1; i <= dense; i++) {
        candidates.add(bounds.fails + i);
      }
      for (long i = 1; i <= probes - dense; i++) {
        long value = bounds.fails + dense + (between - dense) * i / (probes - dense);
        candidates.add(Math.min(firstFails - 1, value));
      }
      return candidates;
    }

    private boolean isExhausted(long fails, long firstFails) {
      return firstFails - fails <= MOST_EXHAUSTED
          && LongStream.range(fails, firstFails)
              .allMatch(value -> plan.replays().knownOutcome(at(value), variant, size) != null);
    }

    /** Values below the largest that fail: those just below it, and all that were replayed. */
    private List<Long> smallerFailing(long fits) {
      NavigableSet<Long> smaller =
          new TreeSet<>(plan.replays().replayed(name, others, variant).headSet(fits, false));
      int near = Math.min(MOST_SMALLER, plan.probeCount(others));
      for (long value = Math.max(1, fits - near); value < fits; value++) {
        smaller.add(value);
      }
      return smaller.stream().filter(value -> !outcome(value).fits()).toList();
    }

    /** What is known: a value that fits, or 0, and a larger one that fails. */
    private final class Bounds {
      private final long fits;
      private final @Nullable Outcome fitting;
      private final long fails;

      Bounds(long fits, @Nullable Outcome fitting, long fails) {
        this.fits = fits;
        this.fitting = fitting;
        this.fails = fails;
      }

      /** What is known after a value between was tried. */
      Bounds after(long value) {
        Outcome outcome = outcome(value);
        return outcome.fits()
            ? new Bounds(value, outcome, fails)
            : new Bounds(fits, fitting, value);
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

    private ParameterValues at(long value) {
      return others.with(name, value);
    }

    private long least(long value) {
      return plan.replays().leastBytes(at(value));
    }

    private Outcome outcome(long value) {
      return plan.replays().outcome(at(value), variant, size, progress);
    }

    private Prediction predicted(long value) {
      return plan.predict(at(value), variant, size, progress);
    }
  }
}
