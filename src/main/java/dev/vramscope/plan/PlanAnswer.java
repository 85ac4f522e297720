package dev.vramscope.plan;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.ByteText;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The answers to a question, by settings and device.
 *
 * @param askedValues the values of {@link #growth}: those that are asked, or the largest that fit
 * @param predictions at the asked values, for each of the settings on each device; on a device
 *     without a limit if none is given; empty if no value is asked
 * @param largest for each of the settings on each device
 * @param curve peaks at several values, ascending, for each of the settings
 * @param checks the recordings planned themselves
 * @param certainty how sure all of it is
 */
public record PlanAnswer(
    PlanQuestion question,
    ParameterValues askedValues,
    List<Prediction> predictions,
    List<LargestValue> largest,
    List<Prediction> curve,
    Growth growth,
    AnswerBasis basis,
    List<Check> checks,
    Confidence certainty) {
  private static final int MOST_ROUNDS = 3;

  public PlanAnswer {
    predictions = List.copyOf(predictions);
    largest = List.copyOf(largest);
    curve = List.copyOf(curve);
    checks = List.copyOf(checks);
  }

  /**
   * A recording, and what is planned for its values under its settings.
   *
   * @param recordedReservedBytes or {@link ActiveBytes#UNKNOWN}
   */
  public record Check(
      SizedRecording recording, long plannedReservedBytes, long recordedReservedBytes) {
    public boolean isKnown() {
      return recordedReservedBytes != ActiveBytes.UNKNOWN;
    }

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
    requireSimulated(question.sizes());
    ParameterValues values = plan.askedValues(question.find(), question.at());
    List<Variant.Caching> variants =
        question.variants().isEmpty()
            ? List.of(plan.recordedSettings(values))
            : question.variants();
    boolean isAsked = question.at().containsKey(question.find());
    List<Callable<Prediction>> replays = new ArrayList<>();
    if (isAsked || question.sizes().isEmpty()) {
      List<DeviceSize> sizes =
          question.sizes().isEmpty() ? List.of(DeviceSize.UNLIMITED) : question.sizes();
      for (Variant.Caching variant : variants) {
        for (DeviceSize size : sizes) {
          replays.add(() -> plan.predict(values, variant, size, progress));
        }
      }
    }
    List<Prediction> predictions = Parallel.run(replays, threads);
    List<LargestValue> largest = largest(plan, question, values, variants, progress, threads);
    ParameterValues askedValues = isAsked ? values : atLargest(values, question.find(), largest);
    List<Prediction> curve =
        PeakCurve.of(plan, question.find(), askedValues, variants, largest, progress, threads);
    for (int i = 0; i < MOST_ROUNDS && isLargerInCurve(plan, largest, curve); i++) {
      // A replay of the curve fits where the search had not looked.
      largest = largest(plan, question, values, variants, progress, threads);
      askedValues = isAsked ? values : atLargest(values, question.find(), largest);
      curve =
          PeakCurve.of(plan, question.find(), askedValues, variants, largest, progress, threads);
    }
    AnswerBasis basis = AnswerBasis.of(plan, askedValues);
    List<Check> checks = checks(plan, progress, threads);
    Confidence certainty = Confidence.of(basis, checks, largest);
    if (isAsked && !largest.isEmpty()) {
      // The largest value is no surer than its own sizes, whatever else is asked.
      AnswerBasis ofLargest = AnswerBasis.of(plan, atLargest(values, question.find(), largest));
      certainty = certainty.leastOf(Confidence.of(ofLargest, checks, largest));
    }
    return new PlanAnswer(
        question,
        askedValues,
        predictions,
        largest,
        curve,
        Growth.of(plan, askedValues),
        basis,
        checks,
        certainty);
  }

  private static void requireSimulated(List<DeviceSize> sizes) throws PlanRefusedException {
    for (DeviceSize size : sizes) {
      if (size.totalBytes().orElse(0) > DeviceSize.MOST_BYTES) {
        throw new PlanRefusedException(
            "A device of "
                + ByteText.of(size.totalBytes().getAsLong())
                + " is larger than "
                + ByteText.of(DeviceSize.MOST_BYTES)
                + ", the most that is simulated.",
            "Ask for a smaller device, or for none to learn what a value needs.");
      }
    }
  }

  private static List<LargestValue> largest(
      Plan plan,
      PlanQuestion question,
      ParameterValues values,
      List<Variant.Caching> variants,
      Progress progress,
      int threads) {
    List<Callable<LargestValue>> searches = new ArrayList<>();
    for (Variant.Caching variant : variants) {
      for (DeviceSize size : question.sizes()) {
        if (size.isLimited()) {
          searches.add(
              () -> LargestValue.of(plan, question.find(), values, variant, size, progress));
        }
      }
    }
    return Parallel.run(searches, threads);
  }

  /** Whether a point of the curve fits a device and is larger than the largest found. */
  private static boolean isLargerInCurve(
      Plan plan, List<LargestValue> largest, List<Prediction> curve) {
    return largest.stream()
        .filter(largestValue -> largestValue.end() == LargestValue.End.SAMPLED)
        .anyMatch(
            largestValue ->
                curve.stream()
                    .filter(point -> point.variant().equals(largestValue.variant()))
                    .filter(
                        point ->
                            point.values().get(largestValue.name())
                                > largestValue.value().orElse(0))
                    .anyMatch(
                        point -> {
                          Outcome outcome =
                              plan.replays()
                                  .knownOutcome(
                                      point.values(), largestValue.variant(), largestValue.size());
                          return outcome != null && outcome.fits();
                        }));
  }

  private static ParameterValues atLargest(
      ParameterValues values, String find, List<LargestValue> largest) {
    return largest.isEmpty() || largest.getFirst().value().isEmpty()
        ? values
        : values.with(find, largest.getFirst().value().getAsLong());
  }

  private static List<Check> checks(Plan plan, Progress progress, int threads) {
    List<Callable<Check>> checks = new ArrayList<>();
    for (SizedRecording recording : plan.recordings()) {
      checks.add(
          () ->
              new Check(
                  recording,
                  plan.replays()
                      .unlimited(
                          recording.values(), new Variant.Caching(recording.settings()), progress)
                      .peakReservedBytes(),
                  recording.peakReservedBytes()));
    }
    return Parallel.run(checks, threads);
  }

  /** The search for the first settings and device; null if no device is given. */
  public @Nullable LargestValue firstLargest() {
    return largest.isEmpty() ? null : largest.getFirst();
  }
}
