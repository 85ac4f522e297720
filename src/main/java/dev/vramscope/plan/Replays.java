package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.Variant;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Replays of the fitted runs of a plan, each done once. Thread-safe. */
final class Replays {
  private final Plan plan;

  /** By values and settings: on a device without a limit. */
  private final Map<List<Object>, Outcome> unlimited = new ConcurrentHashMap<>();

  /** By values, settings and device. */
  private final Map<List<Object>, Outcome> limited = new ConcurrentHashMap<>();

  private final Map<ParameterValues, Long> least = new ConcurrentHashMap<>();

  Replays(Plan plan) {
    this.plan = plan;
  }

  /**
   * What the program needs.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   */
  Prediction predict(
      ParameterValues values, Variant.Caching variant, DeviceSize size, Progress progress) {
    FittedRun run = plan.fitted(values);
    Outcome whole = unlimited(values, variant, progress);
    long leastBytes = leastBytes(values);
    if (!size.isLimited() || fits(whole, size)) {
      return new Prediction(values, variant, size, whole, whole, Prediction.Place.NONE, leastBytes);
    }
    Outcome outcome = outcome(values, variant, size, progress);
    return new Prediction(
        values, variant, size, whole, outcome, FailingLine.of(run, outcome, values), leastBytes);
  }

  /** Whether a run on a device without a limit fits a limited one as it is. */
  private static boolean fits(Outcome whole, DeviceSize size) {
    return whole.fits()
        && whole.peakReservedBytes()
            <= size.totalBytes().orElse(Long.MAX_VALUE) - size.othersBytes();
  }

  /** The run on a limited device, up to the first request that fails; a run that fits is whole. */
  Outcome outcome(
      ParameterValues values, Variant.Caching variant, DeviceSize size, Progress progress) {
    Outcome outcome = knownOutcome(values, variant, size);
    if (outcome == null) {
      outcome = Replay.untilFailure(plan.fitted(values).at(values), variant, size, progress);
      limited.put(List.of(values, variant, size), outcome);
    }
    return outcome;
  }

  /** The run on a limited device if it was replayed already, or else null. */
  @Nullable Outcome knownOutcome(ParameterValues values, Variant.Caching variant, DeviceSize size) {
    Outcome whole = unlimited.get(List.of(values, variant));
    return whole != null && fits(whole, size) ? whole : limited.get(List.of(values, variant, size));
  }

  /** All values that were replayed under some settings and differ in one parameter only. */
  NavigableSet<Long> replayed(String name, ParameterValues others, Variant.Caching variant) {
    NavigableSet<Long> replayedValues = new TreeSet<>();
    for (Map<List<Object>, Outcome> replays : List.of(unlimited, limited)) {
      for (List<Object> key : replays.keySet()) {
        if (key.get(0) instanceof ParameterValues values
            && key.get(1).equals(variant)
            && values.equals(others.with(name, values.get(name)))) {
          replayedValues.add(values.get(name));
        }
      }
    }
    return replayedValues;
  }

  /** The requested bytes that any allocator needs at least. */
  long leastBytes(ParameterValues values) {
    return least.computeIfAbsent(values, key -> plan.fitted(key).at(key).peakLive().bytes());
  }

  /** The run on a device without a limit, which a device with enough memory repeats. */
  Outcome unlimited(ParameterValues values, Variant.Caching variant, Progress progress) {
    List<Object> key = List.of(values, variant);
    Outcome outcome = unlimited.get(key);
    if (outcome == null) {
      outcome =
          Replay.untilFailure(
              plan.fitted(values).at(values), variant, DeviceSize.UNLIMITED, progress);
      unlimited.put(key, outcome);
    }
    return outcome;
  }
}
