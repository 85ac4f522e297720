package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** Peaks at several values of a parameter on a device without a limit. */
final class PeakCurve {
  private static final int POINTS = 12;
  private static final int POINTS_OF_LONG_RUNS = 4;
  private static final int POINTS_OF_OTHER_SETTINGS = 6;

  private PeakCurve() {}

  /** Ascending, for each of the settings. */
  static List<Prediction> of(
      Plan plan,
      String find,
      ParameterValues askedValues,
      List<Variant.Caching> variants,
      List<LargestValue> largest,
      Progress progress,
      int threads) {
    List<Callable<Prediction>> replays = new ArrayList<>();
    for (Variant.Caching variant : variants) {
      boolean isFirst = variant.equals(variants.getFirst());
      for (long value : values(plan, find, askedValues, variant, isFirst, largest)) {
        replays.add(
            () ->
                plan.predict(
                    askedValues.with(find, value), variant, DeviceSize.UNLIMITED, progress));
      }
    }
    return Parallel.run(replays, threads);
  }

  /** From the smallest recorded value to twice the largest one, or beyond what is asked. */
  private static Set<Long> values(
      Plan plan,
      String find,
      ParameterValues askedValues,
      Variant.Caching variant,
      boolean isFirst,
      List<LargestValue> largest) {
    boolean isLong = plan.isLong(askedValues);
    TreeSet<Long> values = new TreeSet<>();
    plan.recordings().forEach(recording -> values.add(recording.values().get(find)));
    values.add(askedValues.get(find));
    for (LargestValue largestValue : largest) {
      if (largestValue.value().isPresent()) {
        values.add(largestValue.value().getAsLong());
        values.add(Math.min(ParameterValues.MOST, largestValue.value().getAsLong() + 1));
      }
    }
    long end = largest.isEmpty() ? 2 * values.last() : values.last() + values.last() / 8;
    end = Math.min(ParameterValues.MOST, end);
    long begin = values.first();
    int points = isLong ? POINTS_OF_LONG_RUNS : POINTS;
    if (!isFirst) {
      points = isLong ? 2 : POINTS_OF_OTHER_SETTINGS;
      values.clear();
      largest.stream()
          .filter(largestValue -> largestValue.variant().equals(variant))
          .forEach(largestValue -> largestValue.value().ifPresent(values::add));
    }
    for (int i = 0; i < points; i++) {
      values.add(begin + (end - begin) * i / (points - 1));
    }
    return values;
  }
}
