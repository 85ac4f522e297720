package dev.vramscope.web.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.plan.AnswerBasis;
import dev.vramscope.plan.AnswerBasisText;
import dev.vramscope.plan.Growth;
import dev.vramscope.plan.LargestValue;
import dev.vramscope.plan.ParameterValues;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanAnswer;
import dev.vramscope.plan.PlanSentence;
import dev.vramscope.plan.Prediction;
import dev.vramscope.whatif.Outcome;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a plan for clients and for the page. Bytes of sites are requested; peaks are those
 * of the allocator.
 *
 * @param answer in a sentence or two
 * @param certainty exact, likely or doubtful
 * @param growthAnswer what grows, in a sentence
 * @param find the searched parameter
 * @param at the values of the growth by site
 * @param atLabel these as text
 */
record PlanView(
    String answer,
    String certainty,
    String growthAnswer,
    String find,
    Map<String, Long> at,
    String atLabel,
    List<Run> runs,
    List<Largest> largest,
    List<Peaks> predictions,
    List<Peaks> curve,
    List<Site> sites,
    Site total,
    AnswerBasisView basis) {
  private static final int MOST_SITES = 200;

  /**
   * A recording, and what is planned for its values.
   *
   * @param recordedReservedBytes null if it is not known
   */
  @Schema(name = "PlanViewRun")
  record Run(
      String snapshot,
      String name,
      Map<String, Long> values,
      String label,
      int events,
      @Nullable Long recordedReservedBytes,
      long plannedReservedBytes,
      boolean exact) {}

  /**
   * The largest value that fits.
   *
   * @param value null if none fits, or all do
   * @param unlimited whether memory does not grow with the parameter
   * @param end every (all values fit), at least (larger ones are not searched), exhausted (all
   *     larger ones fail) or sampled (some larger ones were tried and fail)
   * @param smallerFailing smaller values that were tried and fail
   * @param range the largest values if sizes that the recordings do not determine grow as much, or
   *     as little, as they may; null if all are determined
   * @param reservedBytes held at this value
   * @param nextNeedsBytes what the next value would reserve on a device with enough memory
   */
  record Largest(
      String settings,
      long totalBytes,
      long othersBytes,
      @Nullable Long value,
      boolean unlimited,
      String end,
      List<Long> smallerFailing,
      LargestValue.@Nullable Range range,
      @Nullable Long reservedBytes,
      @Nullable Long nextNeedsBytes) {}

  /**
   * Peaks at some values.
   *
   * @param totalBytes null without a limit
   * @param lowerBound whether it needs more than these peaks, since the replay ended early
   * @param failsIn the line of code of the first request that fails
   */
  record Peaks(
      String settings,
      Map<String, Long> values,
      @Nullable Long totalBytes,
      boolean fits,
      long peakAllocatedBytes,
      long peakReservedBytes,
      boolean lowerBound,
      @Nullable String failsIn) {}

  /**
   * A site.
   *
   * @param growsWith products of parameters, largest first; empty if it does not grow
   */
  @Schema(name = "PlanSite")
  record Site(
      @Nullable String function,
      @Nullable String file,
      int line,
      @Nullable String kind,
      String use,
      @JsonIgnore String useWords,
      List<String> growsWith,
      String growth,
      List<Long> recordedBytes,
      long atBytes,
      int allocations) {}

  /**
   * What the answer stands on.
   *
   * @param reach recorded, interpolated or extrapolated
   * @param sentences all of it, in words
   */
  record AnswerBasisView(
      String reach,
      double factor,
      long liveBytes,
      long constantBytes,
      long checkedBytes,
      long uncheckedBytes,
      long workspaceBytes,
      long approximateBytes,
      long assumedBytes,
      long residualBytes,
      int unalignedOperations,
      long unalignedBytes,
      boolean hasSteadyStep,
      List<String> sentences,
      List<String> differences) {}

  static PlanView of(Plan plan, PlanAnswer answer, List<String> snapshots) {
    String find = answer.question().find();
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < answer.checks().size(); i++) {
      PlanAnswer.Check check = answer.checks().get(i);
      runs.add(
          new Run(
              snapshots.get(i),
              check.recording().name(),
              check.recording().values().byName(),
              check.recording().values().label(),
              check.recording().device().trace().size(),
              check.recordedReservedBytes() == ActiveBytes.UNKNOWN
                  ? null
                  : check.recordedReservedBytes(),
              check.plannedReservedBytes(),
              check.isExact()));
    }
    Growth growth = answer.growth();
    return new PlanView(
        PlanSentence.of(answer),
        answer.certainty().level().name().toLowerCase(Locale.ROOT),
        PlanSentence.of(growth),
        find,
        answer.askedValues().byName(),
        answer.askedValues().label(),
        runs,
        answer.largest().stream().map(PlanView::largest).toList(),
        answer.predictions().stream().map(PlanView::peaks).toList(),
        answer.curve().stream().map(PlanView::peaks).toList(),
        growth.rows().stream().limit(MOST_SITES).map(PlanView::site).toList(),
        site(growth.total()),
        basis(answer));
  }

  private static Largest largest(LargestValue largestValue) {
    Outcome fitting = largestValue.fitting();
    Prediction failing = largestValue.failing();
    return new Largest(
        largestValue.variant().label(),
        largestValue.size().totalBytes().orElse(0),
        largestValue.size().othersBytes(),
        largestValue.value().isPresent() ? largestValue.value().getAsLong() : null,
        largestValue.isUnlimited(),
        largestValue.end().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        largestValue.smallerFailing(),
        largestValue.range(),
        fitting == null ? null : fitting.peakReservedBytes(),
        failing == null ? null : failing.neededBytes());
  }

  private static Peaks peaks(Prediction prediction) {
    return new Peaks(
        prediction.variant().label(),
        prediction.values().byName(),
        prediction.size().isLimited() ? prediction.size().totalBytes().orElse(0) : null,
        prediction.fits(),
        prediction.allocatedBytes(),
        prediction.neededBytes(),
        prediction.isLowerBound(),
        prediction.fits() ? null : PlanSentence.failingLine(prediction));
  }

  private static Site site(Growth.Row row) {
    return new Site(
        row.frame() == null ? null : row.frame().name(),
        row.frame() == null ? null : row.frame().file(),
        row.frame() == null ? 0 : row.frame().line(),
        row.kind() == null ? null : row.kind().name().toLowerCase(Locale.ROOT),
        row.use().id(),
        row.use().words(),
        row.growth(),
        row.isGrowing() ? row.growthLabel() : "does not grow",
        row.recordedBytes(),
        row.askedBytes(),
        row.count());
  }

  private static AnswerBasisView basis(PlanAnswer answer) {
    AnswerBasis basis = answer.basis();
    List<String> differences = new ArrayList<>();
    int alone = 0;
    long bytes = 0;
    for (AnswerBasis.Pair pair : basis.pairs()) {
      differences.addAll(pair.differences());
      alone += pair.alone() + pair.otherAlone();
      bytes += pair.aloneBytes() + pair.otherAloneBytes();
    }
    return new AnswerBasisView(
        basis.reach().name().toLowerCase(Locale.ROOT),
        basis.factor(),
        basis.live().all(),
        basis.live().constant(),
        basis.live().checked(),
        basis.live().unchecked(),
        basis.live().workspace(),
        basis.live().approximate(),
        basis.live().assumed(),
        basis.live().residual(),
        alone,
        bytes,
        basis.hasSteadyStep(),
        AnswerBasisText.of(answer),
        differences);
  }

  /** The values of a row as text. */
  static String label(Map<String, Long> values) {
    return new ParameterValues(values).label();
  }
}
