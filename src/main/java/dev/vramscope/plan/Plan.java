package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A program that was recorded at some values of its parameters, for any other values. Thread-safe.
 */
public final class Plan {
  private static final int LONG_RUN = 300_000;

  /** The part of the operations of the longest recording that a whole recording has. */
  private static final double WHOLE_PART = 0.9;

  private static final int LEAST_TRIES = 2;
  private static final int MOST_TRIES = 128;
  private static final int TRIED_OPERATIONS = 2_000_000;

  private final List<SizedRecording> recordings;
  private final List<PlannedOperations> operations;
  private final List<String> names;
  private final List<String> varying;
  private final boolean[] isSteady;
  private final Progress progress;
  private final Bound bound;
  private final Map<Integer, FittedRun> fitted = new HashMap<>();

  /** Those of all bounds. Guarded by itself. */
  private final Map<Long, Alignment> alignments;

  private final Map<Bound, Plan> bounded = new ConcurrentHashMap<>();
  private final Replays replays = new Replays(this);

  private Plan(
      List<SizedRecording> recordings,
      List<PlannedOperations> operations,
      List<String> names,
      List<String> varying,
      boolean[] isSteady,
      Progress progress,
      Bound bound,
      Map<Long, Alignment> alignments) {
    this.isSteady = isSteady;
    this.bound = bound;
    this.alignments = alignments;
    this.recordings = recordings;
    this.operations = operations;
    this.names = names;
    this.varying = varying;
    this.progress = progress;
  }

  /**
   * Aligns recordings of one program.
   *
   * @param progress fitting ends when it is cancelled or its time is over
   * @throws PlanRefusedException if nothing can be planned from them
   */
  public static Plan of(List<SizedRecording> recordings, Progress progress)
      throws PlanRefusedException {
    PlanChecks.require(recordings);
    List<String> names = recordings.getFirst().values().names();
    List<String> varying = names.stream().filter(name -> isVarying(recordings, name)).toList();
    RecordedRange.requireSeparate(recordings, varying);
    List<PlannedOperations> operations = operations(recordings);
    Plan plan =
        new Plan(
            List.copyOf(recordings),
            operations,
            names,
            varying,
            areSteady(recordings, operations),
            progress,
            Bound.LIKELY,
            new HashMap<>());
    for (int other = 1; other < recordings.size(); other++) {
      PlanChecks.requireSameProgram(plan, 0, other);
    }
    PlanChecks.requireGrowing(plan);
    return plan;
  }

  private static List<PlannedOperations> operations(List<SizedRecording> recordings) {
    int[] entries = ProgramEntry.of(recordings);
    return IntStream.range(0, entries.length)
        .mapToObj(
            i ->
                new PlannedOperations(
                    recordings.get(i).run(),
                    recordings.get(i).device().trace(),
                    recordings.get(i).snapshot().stacks(),
                    entries[i]))
        .toList();
  }

  private static boolean[] areSteady(
      List<SizedRecording> recordings, List<PlannedOperations> operations) {
    boolean[] steady = new boolean[recordings.size()];
    for (int i = 0; i < steady.length; i++) {
      steady[i] = SteadyStep.of(recordings.get(i).run(), operations.get(i)).isFound();
    }
    return steady;
  }

  private static boolean isVarying(List<SizedRecording> recordings, String name) {
    return recordings.stream().mapToLong(each -> each.values().get(name)).distinct().count() > 1;
  }

  /** The same plan with the sizes that the recordings do not determine taken otherwise. */
  Plan bounded(Bound other) {
    return bounded.computeIfAbsent(
        other,
        _ ->
            new Plan(
                recordings, operations, names, varying, isSteady, progress, other, alignments));
  }

  /** In the order in which they were given. */
  public List<SizedRecording> recordings() {
    return recordings;
  }

  PlannedOperations operations(int recording) {
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
  public ParameterValues complete(Map<String, Long> askedValues) throws PlanRefusedException {
    Set<String> unknown = new LinkedHashSet<>(askedValues.keySet());
    unknown.removeAll(new HashSet<>(names));
    if (!unknown.isEmpty()) {
      throw new PlanRefusedException(
          "The recordings have no parameter '"
              + PlanChecks.elided(unknown.iterator().next())
              + "'.",
          "They have: " + String.join(", ", names) + ".");
    }
    ParameterValues values = recordings.getFirst().values();
    for (String name : names) {
      Long value = askedValues.get(name);
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

  /**
   * All values of a question; without one for the searched parameter, its largest recorded one.
   *
   * @throws PlanRefusedException if a value is missing or cannot be planned
   */
  ParameterValues askedValues(String find, Map<String, Long> at) throws PlanRefusedException {
    if (!varying.contains(find)) {
      throw new PlanRefusedException(
          names.contains(find)
              ? "All recordings have " + find + " " + recordings.getFirst().values().get(find) + "."
              : "The recordings have no parameter '" + PlanChecks.elided(find) + "'.",
          "Ask for one of these, which differ: " + String.join(", ", varying) + ".");
    }
    Map<String, Long> all = new LinkedHashMap<>(at);
    all.computeIfAbsent(
        find,
        _ ->
            recordings.stream()
                .mapToLong(recording -> recording.values().get(find))
                .max()
                .orElseThrow());
    return complete(all);
  }

  // Templates -----------------------------------------------------------------------------------

  /** The run for some values: that of the nearest recording, with other sizes. */
  FittedRun fitted(ParameterValues values) {
    int template = nearest(values);
    synchronized (fitted) {
      FittedRun run = fitted.get(template);
      if (run == null) {
        List<Alignment> all = new ArrayList<>();
        for (int other = 0; other < recordings.size(); other++) {
          all.add(alignment(template, other));
        }
        run = FittedRun.of(recordings, operations, varying, template, all, bound, progress);
        fitted.put(template, run);
      }
      return run;
    }
  }

  /**
   * Whether the sequence of a recording may be replayed. One that failed ends too early; so does
   * one that has fewer operations than others and no step that recurs. They are used only if all
   * are so.
   */
  boolean isWhole(int recording) {
    int most = 0;
    for (int i = 0; i < recordings.size(); i++) {
      most = recordings.get(i).hasFailed() ? most : Math.max(most, operations.get(i).count());
    }
    return !recordings.get(recording).hasFailed()
        && (isSteady[recording] || operations.get(recording).count() >= WHOLE_PART * most);
  }

  /** Whether each recording has a step that recurs unchanged. */
  boolean isSteady() {
    for (boolean steady : isSteady) {
      if (!steady) {
        return false;
      }
    }
    return true;
  }

  private int nearest(ParameterValues values) {
    boolean hasWhole = IntStream.range(0, recordings.size()).anyMatch(this::isWhole);
    int nearest = -1;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < recordings.size(); i++) {
      if (hasWhole && !isWhole(i)) {
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
      return Alignment.WITH_ITSELF;
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

  /**
   * The recorded settings of the recording that is nearest to what is asked.
   *
   * @throws PlanRefusedException if a value is missing or cannot be planned
   */
  public Variant.Caching recordedSettings(String find, Map<String, Long> at)
      throws PlanRefusedException {
    return recordedSettings(askedValues(find, at));
  }

  /** The recorded settings of the recording that is nearest to some values. */
  public Variant.Caching recordedSettings(ParameterValues values) {
    return new Variant.Caching(fitted(values).template().settings());
  }

  /** The replays of this plan. */
  Replays replays() {
    return replays;
  }

  /**
   * What the program needs.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   */
  public Prediction predict(
      ParameterValues values, Variant.Caching variant, DeviceSize size, Progress progress) {
    return replays.predict(values, variant, size, progress);
  }

  /** Whether the bytes of any allocation depend on a parameter. */
  boolean isGrowingWith(String name, ParameterValues values) {
    int parameter = varying.indexOf(name);
    return fitted(values).laws().stream().anyMatch(law -> law.dependsOn(parameter));
  }

  /** How many values may be tried beyond a bisection. */
  int probeCount(ParameterValues values) {
    int operations = fitted(values).operations().count();
    return operations > LONG_RUN
        ? LEAST_TRIES
        : Math.clamp(TRIED_OPERATIONS / Math.max(1, operations), 6, MOST_TRIES);
  }

  /** Whether replays take so long that fewer have to do. */
  boolean isLong(ParameterValues values) {
    return fitted(values).operations().count() > LONG_RUN;
  }
}
