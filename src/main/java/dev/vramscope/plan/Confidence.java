package dev.vramscope.plan;

import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How sure an answer is.
 *
 * @param doubts sentences, the most important first; what is not proven if it is likely, empty if
 *     it is exact
 */
public record Confidence(Level level, List<String> doubts) {
  /** A difference above this part of the recorded peak is wrong. */
  private static final double WRONG_PART = 0.02;

  /**
   * An answer is doubtful above this part of the bytes at the peak: assumed, falling, or without a
   * partner.
   */
  private static final double DOUBTFUL_PART = 0.25;

  private static final double NOTABLE_PART = 0.05;

  public Confidence {
    doubts = List.copyOf(doubts);
  }

  /** Levels, the surest first. */
  public enum Level {
    /** All sizes follow exact laws, and the plan gives the recorded peaks exactly. */
    EXACT,
    /** Nothing speaks against it, but not all of it is proven. */
    LIKELY,
    /** Something speaks against it. */
    DOUBTFUL
  }

  static Confidence of(
      AnswerBasis basis, List<PlanAnswer.Check> checks, List<LargestValue> largest) {
    List<String> doubts = new ArrayList<>();
    List<String> unproven = new ArrayList<>();
    checks(checks, doubts, unproven);
    sizes(basis, doubts, unproven);
    if (largest.stream().anyMatch(LargestValue::isRange)) {
      unproven.add(
          "the recordings do not determine how far some blocks grow, such as workspaces of"
              + " kernels");
    }
    for (AnswerBasis.Pair pair : basis.pairs()) {
      pair(basis, pair, doubts, unproven);
    }
    if (!basis.hasSteadyStep()) {
      doubts.add(
          "not every recording has a step that recurs unchanged, so later steps may need more");
    }
    if (basis.isMidRun()) {
      unproven.add("a recording begins in mid-run");
    }
    if (basis.template().hasFailed()) {
      doubts.add("a request failed in " + basis.template().name() + ", which ends the recording");
    }
    return doubts.isEmpty()
        ? new Confidence(unproven.isEmpty() ? Level.EXACT : Level.LIKELY, unproven)
        : new Confidence(Level.DOUBTFUL, doubts);
  }

  /** This one, or another that is less sure. */
  Confidence leastOf(Confidence other) {
    return other.level.compareTo(level) > 0 ? other : this;
  }

  /** The sentence on a recording whose peak is not planned as it was. */
  static String failed(PlanAnswer.Check check) {
    return String.format(
        Locale.ROOT,
        "for %s itself %s reserved are planned, where %s were recorded",
        check.recording().values().label(),
        ByteText.of(check.plannedReservedBytes()),
        ByteText.of(check.recordedReservedBytes()));
  }

  private static void checks(
      List<PlanAnswer.Check> checks, List<String> doubts, List<String> unproven) {
    for (PlanAnswer.Check check : checks) {
      if (!check.isKnown()) {
        unproven.add("the recorded peak of " + check.recording().name() + " is not known");
      } else if (!check.isExact()) {
        long difference = Math.abs(check.plannedReservedBytes() - check.recordedReservedBytes());
        (difference > WRONG_PART * check.recordedReservedBytes() ? doubts : unproven)
            .add(failed(check));
      }
    }
  }

  private static void sizes(AnswerBasis basis, List<String> doubts, List<String> unproven) {
    double live = basis.live().all();
    if (basis.live().falling() > 0) {
      (basis.live().falling() > NOTABLE_PART * live ? doubts : unproven)
          .add(
              ByteText.of(basis.live().falling())
                  + " at the peak fall as the values rise; are the values of the recordings"
                  + " right?");
    }
    if (basis.live().assumed() > 0) {
      (basis.live().assumed() > DOUBTFUL_PART * live ? doubts : unproven)
          .add(
              ByteText.of(basis.live().assumed())
                  + " at the peak belong to allocations whose growth the recordings do not show");
    }
    if (basis.live().workspace() > 0) {
      unproven.add(
          ByteText.of(basis.live().workspace())
              + " at the peak are workspaces of kernels, which need not grow as recorded");
    }
    if (basis.live().unchecked() > 0) {
      unproven.add(ByteText.of(basis.live().unchecked()) + " at the peak are taken as linear");
    }
    if (basis.live().residual() > 0) {
      (basis.live().residual() > NOTABLE_PART * live ? doubts : unproven)
          .add("sizes are approximated, by " + ByteText.of(basis.live().residual()) + " together");
    }
  }

  private static void pair(
      AnswerBasis basis, AnswerBasis.Pair pair, List<String> doubts, List<String> unproven) {
    if (pair.isSame()) {
      return;
    }
    double part =
        Math.max(
            (double) pair.aloneBytes() / Math.max(1, pair.bytes()),
            (double) pair.otherAloneBytes() / Math.max(1, pair.otherBytes()));
    (part > DOUBTFUL_PART || !pair.isWhole() ? doubts : unproven)
        .add(
            pair.aloneBytes() + pair.otherAloneBytes() == 0
                ? String.format(
                    Locale.ROOT,
                    "some frees are in another order in %s and %s",
                    basis.template().values().label(),
                    pair.other().values().label())
                : String.format(
                    Locale.ROOT,
                    "%s and %s differ: requests for %s of the first and %s of the second have no"
                        + " partner",
                    basis.template().values().label(),
                    pair.other().values().label(),
                    ByteText.of(pair.aloneBytes()),
                    ByteText.of(pair.otherAloneBytes())));
  }
}
