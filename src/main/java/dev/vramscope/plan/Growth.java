package dev.vramscope.plan;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the memory of each site grows: requested bytes that are live at the peak of the asked values,
 * and what the same allocations take at the recorded values. Columns add up to {@link #total}.
 *
 * @param rows most bytes first
 */
public record Growth(List<Row> rows, Row total) {
  /** Terms with a smaller part of a row are left out of its label. */
  private static final double LEAST_PART = 0.01;

  public Growth {
    rows = List.copyOf(rows);
  }

  /**
   * The allocations of one site.
   *
   * @param frame null without a recorded stack
   * @param isBefore whether they were allocated before the recording
   * @param use that of most of the bytes; an estimate
   * @param growth the products of parameters with which the bytes grow, largest first; empty if
   *     they do not grow
   * @param recordedBytes at the values of the recordings, in their order
   * @param count allocations
   */
  public record Row(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean isBefore,
      Use use,
      List<String> growth,
      List<Long> recordedBytes,
      long askedBytes,
      int count) {
    public Row {
      growth = List.copyOf(growth);
      recordedBytes = List.copyOf(recordedBytes);
    }

    public boolean isGrowing() {
      return !growth.isEmpty();
    }

    /** Such as {@code batch} or {@code batch × length², batch}; empty if it does not grow. */
    public String growthLabel() {
      return String.join(", ", growth);
    }
  }

  /** The growth of what is live at the peak of some values. */
  static Growth of(Plan plan, ParameterValues askedValues) {
    FittedRun run = plan.fitted(askedValues);
    PeakAllocations live = PeakAllocations.of(run.at(askedValues), run.operations());
    StackTable stacks = run.template().snapshot().stacks();
    StackClasses classes = FrameRules.standard().classify(stacks);
    Uses uses = run.template().uses().get();
    int[] lawCounts = new int[run.laws().size()];
    Map<Integer, Tally> tallies = new LinkedHashMap<>();
    live.allocations().stream()
        .forEach(
            i -> {
              int event = run.template().run().event(i);
              boolean isBefore = event == Lifetimes.BEFORE_RECORDING;
              int stack = isBefore ? StackTable.NONE : run.template().device().trace().stack(event);
              int key =
                  stack == StackTable.NONE
                      ? (isBefore ? -2 : -1)
                      : stacks.frameNumber(classes.siteOf(stack));
              tallies
                  .computeIfAbsent(key, _ -> new Tally(stack, isBefore, lawCounts.length))
                  .add(
                      run.lawOf(i),
                      isBefore ? Use.NO_STACK : uses.ofEvent(event),
                      run.template().run().bytes(i));
            });
    Evaluation evaluation = new Evaluation(plan, run, askedValues);
    List<Row> rows = new ArrayList<>();
    Tally all = new Tally(StackTable.NONE, /* isBefore= */ false, lawCounts.length);
    for (Tally tally : tallies.values()) {
      rows.add(evaluation.row(tally, classes));
      all.add(tally);
    }
    rows.sort(Comparator.comparingLong(Row::askedBytes).reversed());
    return new Growth(rows, evaluation.row(all, classes));
  }

  /** The allocations of a site, counted by law. */
  private static final class Tally {
    private final int stack;
    private final boolean isBefore;
    private final int[] byLaw;
    private final Map<Use, Long> bytesByUse = new EnumMap<>(Use.class);

    Tally(int stack, boolean isBefore, int laws) {
      this.stack = stack;
      this.isBefore = isBefore;
      byLaw = new int[laws];
    }

    void add(int law, Use use, long bytes) {
      byLaw[law]++;
      bytesByUse.merge(use, bytes, Long::sum);
    }

    void add(Tally other) {
      for (int law = 0; law < byLaw.length; law++) {
        byLaw[law] += other.byLaw[law];
      }
    }

    Use use() {
      return bytesByUse.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .orElse(Use.OTHER);
    }
  }

  /** The laws at the values of the columns. */
  private static final class Evaluation {
    private final FittedRun run;
    private final double[] point;
    private final long[] askedBytes;
    private final List<long[]> recordedBytes;

    Evaluation(Plan plan, FittedRun run, ParameterValues values) {
      this.run = run;
      point = values.inOrder(run.names());
      askedBytes = run.bytesOfLawsAt(values);
      recordedBytes =
          plan.recordings().stream()
              .map(recording -> run.bytesOfLawsAt(recording.values()))
              .toList();
    }

    Row row(Tally tally, StackClasses classes) {
      StackTable stacks = classes.stacks();
      int site = tally.stack == StackTable.NONE ? StackTable.NONE : classes.siteOf(tally.stack);
      return new Row(
          site == StackTable.NONE ? null : stacks.frame(site),
          site == StackTable.NONE ? null : classes.kind(site),
          tally.isBefore,
          tally.use(),
          growth(tally),
          recordedBytes.stream().map(bytes -> sum(tally, bytes)).toList(),
          sum(tally, askedBytes),
          Arrays.stream(tally.byLaw).sum());
    }

    private static long sum(Tally tally, long[] bytesOfLaw) {
      long sum = 0;
      for (int law = 0; law < bytesOfLaw.length; law++) {
        sum += tally.byLaw[law] * bytesOfLaw[law];
      }
      return sum;
    }

    private List<String> growth(Tally tally) {
      Map<Monomial, Double> parts = new LinkedHashMap<>();
      double all = 0;
      for (int number = 0; number < tally.byLaw.length; number++) {
        SizeLaw law = run.laws().get(number);
        for (int term = 0; tally.byLaw[number] > 0 && term < law.terms().size(); term++) {
          Monomial monomial = law.terms().get(term);
          double bytes = tally.byLaw[number] * law.coefficients().get(term) * monomial.at(point);
          parts.merge(monomial, bytes, Double::sum);
          all += Math.abs(bytes);
        }
      }
      double least = LEAST_PART * all;
      return parts.entrySet().stream()
          .filter(part -> !part.getKey().isConstant() && Math.abs(part.getValue()) >= least)
          .sorted(Map.Entry.<Monomial, Double>comparingByValue().reversed())
          .map(part -> part.getKey().label(run.names()))
          .toList();
    }
  }
}
