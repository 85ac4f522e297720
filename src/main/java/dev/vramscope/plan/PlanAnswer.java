package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The answers to a question, by settings and device.
 *
 * @param asked the values of {@link #growth}: those that are asked, or the largest that fit
 * @param predictions at the asked values, for each of the settings on each device; on a device
 *     without a limit if none is given; empty if no value is asked
 * @param largest for each of the settings on each device
 * @param curve peaks at several values under the first settings, ascending
 * @param checks the recordings planned themselves
 */
public record PlanAnswer(
    PlanQuestion question,
    Values asked,
    List<Prediction> predictions,
    List<LargestValue> largest,
    List<Prediction> curve,
    Growth growth,
    Standing standing,
    List<Check> checks) {
  private static final int CURVE_POINTS = 12;

  private static final int LONG_CURVE_POINTS = 4;

  public PlanAnswer {
    predictions = List.copyOf(predictions);
    largest = List.copyOf(largest);
    curve = List.copyOf(curve);
    checks = List.copyOf(checks);
  }

  /**
   * A recording, and what is planned for its values under its settings.
   *
   * @param recordedReservedBytes or {@link dev.vramscope.analysis.ActiveBytes#UNKNOWN}
   */
  public record Check(
      SizedRecording recording, long plannedReservedBytes, long recordedReservedBytes) {
    /** Whether the plan gives exactly what was recorded. */
    public boolean isExact() {
      return plannedReservedBytes == recordedReservedBytes;
    }
  }

  /**
   * Answers a question.
   *
   * @param threads how many replays run at the same time
   * @throws PlanRefusedException if a value is missing or cannot be planned
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static PlanAnswer of(Plan plan, PlanQuestion question, Progress progress, int threads)
      throws PlanRefusedException {
    Values recorded = plan.recordings().getLast().values();
    OptionalLong wanted =
        question.at().containsKey(question.find())
            ? OptionalLong.of(question.at().get(question.find()))
            : OptionalLong.empty();
    Map<String, Long> all = new LinkedHashMap<>(question.at());
    if (!plan.varying().contains(question.find())) {
      throw new PlanRefusedException(
          plan.names().contains(question.find())
              ? "All recordings have " + question.find() + " " + recorded.get(question.find()) + "."
              : "The recordings have no parameter '" + question.find() + "'.",
          "Ask for one of these, which differ: " + String.join(", ", plan.varying()) + ".");
    }
    all.putIfAbsent(question.find(), recorded.get(question.find()));
    Values values = plan.complete(all);
    List<Variant.Caching> variants =
        question.variants().isEmpty()
            ? List.of(plan.recordedSettings(values))
            : question.variants();

    List<Callable<LargestValue>> searches = new ArrayList<>();
    for (Variant.Caching variant : variants) {
      for (DeviceSize size : question.sizes()) {
        if (size.isLimited()) {
          searches.add(
              () -> LargestValue.of(plan, question.find(), values, variant, size, progress));
        }
      }
    }
    List<LargestValue> largest = Parallel.run(searches, threads);

    Values asked = asked(values, question.find(), wanted, largest);
    List<Callable<Prediction>> replays = new ArrayList<>();
    if (wanted.isPresent() || question.sizes().isEmpty()) {
      List<DeviceSize> sizes =
          question.sizes().isEmpty() ? List.of(DeviceSize.UNLIMITED) : question.sizes();
      for (Variant.Caching variant : variants) {
        for (DeviceSize size : sizes) {
          replays.add(() -> plan.predict(asked, variant, size, progress));
        }
      }
    }
    return new PlanAnswer(
        question,
        asked,
        Parallel.run(replays, threads),
        largest,
        curve(plan, question.find(), asked, variants.getFirst(), largest, progress, threads),
        Growth.of(plan, asked),
        Standing.of(plan, asked),
        checks(plan, progress, threads));
  }

  private static Values asked(
      Values values, String find, OptionalLong wanted, List<LargestValue> largest) {
    if (wanted.isPresent() || largest.isEmpty() || largest.getFirst().value().isEmpty()) {
      return values;
    }
    return values.with(find, largest.getFirst().value().getAsLong());
  }

  private static List<Check> checks(Plan plan, Progress progress, int threads) {
    List<Callable<Check>> checks = new ArrayList<>();
    for (SizedRecording recording : plan.recordings()) {
      checks.add(
          () ->
              new Check(
                  recording,
                  plan.unlimited(
                          recording.values(), new Variant.Caching(recording.settings()), progress)
                      .peakReservedBytes(),
                  recording.peakReservedBytes()));
    }
    return Parallel.run(checks, threads);
  }

  /** From the smallest recorded value to twice the largest one, or beyond what is asked. */
  private static List<Prediction> curve(
      Plan plan,
      String find,
      Values asked,
      Variant.Caching variant,
      List<LargestValue> largest,
      Progress progress,
      int threads) {
    TreeSet<Long> shown = new TreeSet<>();
    plan.recordings().forEach(recording -> shown.add(recording.values().get(find)));
    shown.add(asked.get(find));
    for (LargestValue found : largest) {
      if (found.value().isPresent() && found.variant().equals(variant)) {
        shown.add(found.value().getAsLong());
        shown.add(found.value().getAsLong() + 1);
      }
    }
    long end = largest.isEmpty() ? 2 * shown.last() : shown.last() + shown.last() / 8;
    long begin = shown.first();
    int points = plan.isLong(asked) ? LONG_CURVE_POINTS : CURVE_POINTS;
    for (int i = 0; i < points; i++) {
      shown.add(begin + (end - begin) * i / (points - 1));
    }
    List<Callable<Prediction>> replays = new ArrayList<>();
    for (long value : shown) {
      replays.add(
          () -> plan.predict(asked.with(find, value), variant, DeviceSize.UNLIMITED, progress));
    }
    return Parallel.run(replays, threads);
  }

  /** The search for the first settings and device; null if no device is given. */
  public @Nullable LargestValue firstLargest() {
    return largest.isEmpty() ? null : largest.getFirst();
  }
}
