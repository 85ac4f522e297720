package dev.vramscope.web;

import dev.vramscope.postmortem.Explanation;
import dev.vramscope.postmortem.Remedy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a failure as the pages show it: the three sentences and the remedies.
 *
 * @param isReplayed whether the remedies include those that need a replay
 */
record ExplanationView(
    ShownSentence whatHappened,
    ShownSentence whatHolds,
    ShownSentence nextStep,
    List<RemedyView> remedies,
    boolean isReplayed) {

  /**
   * One remedy.
   *
   * @param settings the settings line to paste, or null
   * @param effect what it would have given, in a few words
   */
  public record RemedyView(
      ShownSentence action,
      @Nullable String settings,
      ShownSentence proof,
      ShownSentence price,
      String effect,
      boolean isEstimated) {}

  static ExplanationView of(Explanation explanation, SnapshotLinks links, int n) {
    return new ExplanationView(
        ShownSentence.of(explanation.whatHappened(), links, n),
        ShownSentence.of(explanation.whatHolds(), links, n),
        ShownSentence.of(explanation.nextStep(), links, n),
        explanation.remedies().ranked().stream().map(each -> remedy(each, links, n)).toList(),
        explanation.remedies().isReplayed());
  }

  private static RemedyView remedy(Remedy remedy, SnapshotLinks links, int n) {
    return new RemedyView(
        ShownSentence.of(remedy.action(), links, n),
        remedy.settings().map(settings -> "PYTORCH_CUDA_ALLOC_CONF=" + settings).orElse(null),
        ShownSentence.of(remedy.proof(), links, n),
        ShownSentence.of(remedy.price(), links, n),
        remedy.effect().label(),
        remedy.isEstimated());
  }
}
