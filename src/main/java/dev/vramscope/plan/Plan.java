package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A program that was recorded at some values of its parameters, for any other values. Thread-safe.
 */
public final class Plan {
  private static final int LONG_RUN = 300_000;

  private final List<SizedRecording> recordings;
  private final List<Operations> operations;
  private final List<String> names;
  private final List<String> varying;
  private final Map<Integer, FittedRun> fitted = new HashMap<>();
  private final Map<Long, Alignment> alignments = new HashMap<>();
  private final Map<List<Object>, Outcome> unlimited = new ConcurrentHashMap<>();
  private final Map<Values, Long> least = new ConcurrentHashMap<>();

  private Plan(
      List<SizedRecording> recordings,
      List<Operations> operations,
      List<String> names,
      List<String> varying) {
    this.recordings = recordings;
    this.operations = operations;
    this.names = names;
    this.varying = varying;
  }

  /**
   * Aligns recordings of one program.
   *
   * @throws PlanRefusedException if nothing can be planned from them
   */
  public static Plan of(List<SizedRecording> recordings) throws PlanRefusedException {
    PlanChecks.require(recordings);
    List<String> names = recordings.getFirst().values().names();
    List<String> varying = names.stream().filter(name -> isVarying(recordings, name)).toList();
    List<Operations> operations =
        recordings.stream()
            .map(
                recording ->
                    new Operations(
                        recording.run(), recording.device().trace(), recording.snapshot().stacks()))
            .toList();
    Plan plan = new Plan(List.copyOf(recordings), operations, names, varying);
    for (int other = 1; other < recordings.size(); other++) {
      PlanChecks.requireSameProgram(plan, 0, other);
    }
    return plan;
  }

  private static boolean isVarying(List<SizedRecording> recordings, String name) {
    return recordings.stream().mapToLong(each -> each.values().get(name)).distinct().count() > 1;
  }

  /** In the order in which they were given. */
  public List<SizedRecording> recordings() {
    return recordings;
  }

  Operations operations(int recording) {
    return operations.get(recording);
  }

  /** All parameters. */
  public List<String> names() {
    return names;
  }

  /** The parameters that differ between the recordings: only these can have other values. */
  public List<String> varying() {
    return varying;
  }

  /**
   * All values of a question: those that are asked, and the recorded ones of parameters that are
   * the same in all recordings.
   *
   * @throws PlanRefusedException if a value is missing or cannot be planned
   */
  public Values complete(Map<String, Long> asked) throws PlanRefusedException {
    Set<String> unknown = new LinkedHashSet<>(asked.keySet());
    unknown.removeAll(new HashSet<>(names));
    if (!unknown.isEmpty()) {
      throw new PlanRefusedException(
          "The recordings have no parameter '" + unknown.iterator().next() + "'.",
          "They have: " + String.join(", ", names) + ".");
    }
    Values values = recordings.getFirst().values();
    for (String name : names) {
      Long value = asked.get(name);
      if (varying.contains(name)) {
        if (value == null) {
          throw new PlanRefusedException(
              "No value is asked for " + name + ".", "Give one, such as " + name + "=8.");
        }
        values = values.with(name, value);
      } else if (value != null && value != values.get(name)) {
        throw new PlanRefusedException(
            "All recordings have "
                + name
                + " "
                + values.get(name)
                + ": nothing is known about "
                + name
                + " "
                + value
                + ".",
            "Add a recording with another " + name + ".");
      }
    }
    return values;
  }

  // Templates -----------------------------------------------------------------------------------

  /** The run for some values: that of the nearest recording, with other sizes. */
  FittedRun fitted(Values values) {
    int template = nearest(values);
    synchronized (fitted) {
      FittedRun known = fitted.get(template);
      if (known == null) {
        List<Alignment> all = new ArrayList<>();
        for (int other = 0; other < recordings.size(); other++) {
          all.add(alignment(template, other));
        }
        known = FittedRun.of(recordings, operations, varying, template, all);
        fitted.put(template, known);
      }
      return known;
    }
  }

  /** A recording that failed ends too early; it is used only if all did. */
  private int nearest(Values values) {
    boolean haveAllFailed = recordings.stream().allMatch(SizedRecording::hasFailed);
    int nearest = -1;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < recordings.size(); i++) {
      if (recordings.get(i).hasFailed() && !haveAllFailed) {
        continue;
      }
      double distance = 0;
      for (String name : varying) {
        distance +=
            Math.abs(Math.log((double) values.get(name) / recordings.get(i).values().get(name)));
      }
      // Of two that are equally near, the larger one.
      if (distance < least - 1e-12
          || (distance < least + 1e-12 && isLarger(recordings.get(i), recordings.get(nearest)))) {
        nearest = i;
        least = distance;
      }
    }
    return nearest;
  }

  private boolean isLarger(SizedRecording one, SizedRecording other) {
    double product = 1;
    for (String name : varying) {
      product *= (double) one.values().get(name) / other.values().get(name);
    }
    return product > 1;
  }

  /** Two recordings aligned; one with itself has no differences. */
  Alignment alignment(int one, int other) {
    if (one == other) {
      return new Alignment(new int[0], List.of(), true);
    }
    synchronized (alignments) {
      return alignments.computeIfAbsent(
          (long) one * recordings.size() + other,
          _ ->
              Aligner.of(
                  operations.get(one),
                  operations.get(other),
                  new SizePairs(
                      varying, recordings.get(one).values(), recordings.get(other).values())));
    }
  }

  // Answers -------------------------------------------------------------------------------------

  /** The recorded settings of the recording that is nearest to some values. */
  public Variant.Caching recordedSettings(Values values) {
    return new Variant.Caching(fitted(values).template().settings());
  }

  /**
   * What the program needs.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   */
  public Prediction predict(
      Values values, Variant.Caching variant, DeviceSize size, Progress progress) {
    FittedRun run = fitted(values);
    Outcome whole = unlimited(values, variant, progress);
    if (!size.isLimited()
        || whole.peakReservedBytes() <= size.totalBytes().getAsLong() - size.othersBytes()) {
      return new Prediction(values, variant, size, whole, whole, Prediction.Place.NONE);
    }
    Outcome limited = Replay.untilFailure(run.at(values), variant, size, progress);
    return new Prediction(
        values, variant, size, whole, limited, FailingPlace.of(run, limited, values));
  }

  /** The run on a limited device, up to the first request that fails; a run that fits is whole. */
  Outcome tried(Values values, Variant.Caching variant, DeviceSize size, Progress progress) {
    long available = size.totalBytes().orElse(Long.MAX_VALUE) - size.othersBytes();
    Outcome known = unlimited.get(List.of(values, variant));
    return known != null && known.peakReservedBytes() <= available
        ? known
        : Replay.untilFailure(fitted(values).at(values), variant, size, progress);
  }

  /** Whether replays take so long that fewer have to do. */
  boolean isLong(Values values) {
    return fitted(values).operations().count() > LONG_RUN;
  }

  /** The requested bytes that any allocator needs at least. */
  long leastBytes(Values values) {
    return least.computeIfAbsent(values, asked -> fitted(asked).at(asked).peakLive().bytes());
  }

  /** The run on a device without a limit, which a device with enough memory repeats. */
  Outcome unlimited(Values values, Variant.Caching variant, Progress progress) {
    List<Object> key = List.of(values, variant);
    Outcome known = unlimited.get(key);
    if (known == null) {
      known =
          Replay.untilFailure(fitted(values).at(values), variant, DeviceSize.UNLIMITED, progress);
      unlimited.put(key, known);
    }
    return known;
  }
}
