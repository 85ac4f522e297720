package dev.vramscope.plan;

import dev.vramscope.model.ByteText;
import dev.vramscope.plan.SizeLaw.Basis;
import dev.vramscope.whatif.RecordedRun;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an answer stands on.
 *
 * @param template the recording whose sequence is replayed
 * @param reach whether the values lie between the recorded ones
 * @param factor the largest ratio of an asked value to the nearest recorded one, at least 1
 * @param live what is live at the peak of the asked values
 * @param pairs the template against each other recording
 * @param isMidRun whether a recording begins in mid-run
 * @param hasSteadyStep whether each recording has a step that recurs unchanged
 * @param notes sentences about the recordings
 */
public record AnswerBasis(
    SizedRecording template,
    Reach reach,
    double factor,
    LiveBytes live,
    List<Pair> pairs,
    boolean isMidRun,
    boolean hasSteadyStep,
    List<String> notes) {
  private static final int SHOWN_DIFFERENCES = 20;

  public AnswerBasis {
    pairs = List.copyOf(pairs);
    notes = List.copyOf(notes);
  }

  /**
   * Requested bytes that are live at the peak of the asked values, by how well their law is known.
   *
   * @param all the sum of the next six
   * @param constant the same in all recordings
   * @param checked exact in more recordings than the law has terms
   * @param unchecked exact, but with as many terms as recordings
   * @param workspace of kernels, which stop growing at a size that the recordings need not show
   * @param approximate with a residual
   * @param assumed not determined by the recordings
   * @param falling those of laws that fall as a value rises
   * @param residual the sum of the residuals
   */
  public record LiveBytes(
      long all,
      long constant,
      long checked,
      long unchecked,
      long workspace,
      long approximate,
      long assumed,
      long falling,
      long residual) {}

  /** Where asked values lie. */
  public enum Reach {
    RECORDED,
    INTERPOLATED,
    EXTRAPOLATED
  }

  /**
   * The template and another recording.
   *
   * @param operations requests and frees of the template
   * @param bytes that the template allocates in all
   * @param otherBytes that the other recording allocates in all
   * @param alone of these, without a partner
   * @param aloneBytes that these allocate
   * @param otherAlone of the other recording, without a partner
   * @param otherAloneBytes that these allocate
   * @param isWhole whether all was compared
   * @param differences the first ones, as text
   * @param differenceCount of all differences, also those that are not listed
   */
  public record Pair(
      SizedRecording other,
      int operations,
      long bytes,
      long otherBytes,
      int alone,
      long aloneBytes,
      int otherAlone,
      long otherAloneBytes,
      boolean isWhole,
      List<String> differences,
      int differenceCount) {
    public Pair {
      differences = List.copyOf(differences);
    }

    /** Whether both have the same operations in the same order. */
    public boolean isSame() {
      return differenceCount == 0;
    }
  }

  static AnswerBasis of(Plan plan, ParameterValues askedValues) {
    FittedRun run = plan.fitted(askedValues);
    RecordedRun at = run.at(askedValues);
    PeakAllocations live = PeakAllocations.of(at, run.operations());
    Map<Basis, Long> bytes = new EnumMap<>(Basis.class);
    long residual = 0;
    long falling = 0;
    for (int i = live.allocations().nextSetBit(0);
        i >= 0;
        i = live.allocations().nextSetBit(i + 1)) {
      SizeLaw law = run.laws().get(run.lawOf(i));
      bytes.merge(law.basis(), at.bytes(i), Long::sum);
      falling += law.isFalling() ? at.bytes(i) : 0;
      residual += law.residualBytes();
    }
    List<Pair> pairs = new ArrayList<>();
    int template = plan.recordings().indexOf(run.template());
    for (int other = 0; other < plan.recordings().size(); other++) {
      if (other != template) {
        pairs.add(pair(plan, template, other));
      }
    }
    return new AnswerBasis(
        run.template(),
        reach(plan, askedValues),
        factor(plan, askedValues),
        new LiveBytes(
            live.bytes(),
            bytes.getOrDefault(Basis.CONSTANT, 0L),
            bytes.getOrDefault(Basis.CHECKED, 0L),
            bytes.getOrDefault(Basis.UNCHECKED, 0L),
            bytes.getOrDefault(Basis.WORKSPACE, 0L),
            bytes.getOrDefault(Basis.APPROXIMATE, 0L),
            bytes.getOrDefault(Basis.ASSUMED, 0L),
            falling,
            residual),
        pairs,
        plan.recordings().stream().anyMatch(recording -> recording.liveBeforeBytes() > 0),
        plan.isSteady(),
        notes(plan));
  }

  private static Reach reach(Plan plan, ParameterValues askedValues) {
    if (plan.recordings().stream()
        .anyMatch(
            recording ->
                plan.varying().stream()
                    .allMatch(name -> recording.values().get(name) == askedValues.get(name)))) {
      return Reach.RECORDED;
    }
    return RecordedRange.contains(plan, askedValues) ? Reach.INTERPOLATED : Reach.EXTRAPOLATED;
  }

  private static double factor(Plan plan, ParameterValues askedValues) {
    double factor = 1;
    for (String name : plan.varying()) {
      long least = Long.MAX_VALUE;
      long most = 0;
      for (SizedRecording recording : plan.recordings()) {
        least = Math.min(least, recording.values().get(name));
        most = Math.max(most, recording.values().get(name));
      }
      factor = Math.max(factor, (double) askedValues.get(name) / most);
      factor = Math.max(factor, (double) least / askedValues.get(name));
    }
    return factor;
  }

  private static Pair pair(Plan plan, int template, int other) {
    Alignment alignment = plan.alignment(template, other);
    PlannedOperations operations = plan.operations(template);
    PlannedOperations otherOperations = plan.operations(other);
    int alone = 0;
    long aloneBytes = 0;
    boolean[] hasPartner = new boolean[otherOperations.count()];
    for (int i = 0; i < operations.count(); i++) {
      if (alignment.partner(i) == Alignment.NONE) {
        alone++;
        aloneBytes += operations.isAllocation(i) ? operations.bytes(i) : 0;
      } else {
        hasPartner[alignment.partner(i)] = true;
      }
    }
    int otherAlone = 0;
    long otherAloneBytes = 0;
    for (int j = 0; j < hasPartner.length; j++) {
      if (!hasPartner[j]) {
        otherAlone++;
        otherAloneBytes += otherOperations.isAllocation(j) ? otherOperations.bytes(j) : 0;
      }
    }
    return new Pair(
        plan.recordings().get(other),
        operations.count(),
        allocated(operations),
        allocated(otherOperations),
        alone,
        aloneBytes,
        otherAlone,
        otherAloneBytes,
        alignment.isWhole(),
        alignment.differences().stream()
            .limit(SHOWN_DIFFERENCES)
            .map(difference -> text(plan, template, other, difference))
            .toList(),
        alignment.differences().size());
  }

  private static long allocated(PlannedOperations operations) {
    long bytes = 0;
    for (int i = 0; i < operations.count(); i++) {
      bytes += operations.isAllocation(i) ? operations.bytes(i) : 0;
    }
    return bytes;
  }

  private static String text(Plan plan, int template, int other, Difference difference) {
    return String.format(
        Locale.ROOT,
        "%s: %,d operations from %s; %s: %,d from %s",
        plan.recordings().get(template).values().label(),
        difference.count(),
        PlanChecks.place(plan, template, difference.first()),
        plan.recordings().get(other).values().label(),
        difference.otherCount(),
        PlanChecks.place(plan, other, difference.otherFirst()));
  }

  private static List<String> notes(Plan plan) {
    List<String> notes = new ArrayList<>();
    Map<String, String> settings = new LinkedHashMap<>();
    for (SizedRecording recording : plan.recordings()) {
      settings.putIfAbsent(
          recording.settings().isEmpty() ? "the default settings" : recording.settings(),
          recording.name());
      if (recording.liveBeforeBytes() > 0) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s begins in mid-run: %s were allocated before, and their places are not known."
                    + " Peak reserved memory is an estimate.",
                recording.name(),
                ByteText.of(recording.liveBeforeBytes())));
      }
      if (recording.hasFailed()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "In %s a request failed at event %,d; what the program would have done without the"
                    + " failure is not recorded.",
                recording.name(),
                recording.failureEvent()));
      }
    }
    for (int i = 0; i < plan.recordings().size(); i++) {
      if (!plan.isWhole(i) && !plan.recordings().get(i).hasFailed()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s seems to end early: it has %,d requests and frees, fewer than others, and no"
                    + " step that recurs. Its sizes are used, its sequence is not.",
                plan.recordings().get(i).name(),
                plan.operations(i).count()));
      }
    }
    if (settings.size() > 1) {
      notes.add(
          "The recordings have different settings: "
              + String.join("; ", settings.keySet())
              + ". What a program requests does not depend on them.");
    }
    return notes;
  }
}
