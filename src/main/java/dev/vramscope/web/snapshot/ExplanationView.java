package dev.vramscope.web.snapshot;

import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.HealthyRun;
import dev.vramscope.postmortem.explanation.Remedy;
import dev.vramscope.postmortem.explanation.Sentence;
import dev.vramscope.postmortem.explanation.UnrecordedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first screen as the pages show it: three short texts, and for a failure the remedies.
 *
 * @param isHealthy whether no request failed
 * @param replays which replays the remedies stand on, or why there are none
 * @param isPending whether the recording could be replayed but has not been
 */
public record ExplanationView(
    List<Paragraph> paragraphs,
    boolean isHealthy,
    List<RemedyView> remedies,
    ShownSentence replays,
    boolean isPending) {

  /** A text with its heading. */
  public record Paragraph(String title, ShownSentence text) {}

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
        List.of(
            paragraph("What happened", explanation.whatHappened(), links, n),
            paragraph("Who holds the memory", explanation.whatHolds(), links, n),
            paragraph("What to do next", explanation.nextStep(), links, n)),
        /* isHealthy= */ false,
        explanation.remedies().ranked().stream()
            .map(each -> remedy(each, explanation, links, n))
            .toList(),
        ShownSentence.of(explanation.remedies().replays(), links, n),
        explanation.remedies().isPending());
  }

  static ExplanationView of(HealthyRun run, SnapshotLinks links) {
    return new ExplanationView(
        List.of(
            paragraph("How close it came to running out of memory", run.howClose(), links, 0),
            paragraph("Who held the memory at the peak", run.whatHolds(), links, 0),
            paragraph("How small a GPU would have sufficed", run.smallestDevice(), links, 0)),
        /* isHealthy= */ true,
        List.of(),
        ShownSentence.of(Sentence.EMPTY, links, 0),
        /* isPending= */ false);
  }

  static ExplanationView of(UnrecordedRequest request, SnapshotLinks links) {
    return new ExplanationView(
        List.of(
            paragraph("What happened", request.whatHappened(), links, 0),
            paragraph("Who holds the memory", request.whatHolds(), links, 0),
            paragraph("What to do next", request.nextStep(), links, 0)),
        /* isHealthy= */ false,
        List.of(),
        ShownSentence.of(Sentence.EMPTY, links, 0),
        /* isPending= */ false);
  }

  private static Paragraph paragraph(String title, Sentence sentence, SnapshotLinks links, int n) {
    return new Paragraph(title, ShownSentence.of(sentence, links, n));
  }

  private static RemedyView remedy(
      Remedy remedy, Explanation explanation, SnapshotLinks links, int n) {
    return new RemedyView(
        ShownSentence.of(remedy.action(), links, n),
        remedy.settings().map(settings -> "PYTORCH_CUDA_ALLOC_CONF=" + settings).orElse(null),
        ShownSentence.of(remedy.proof(), links, n),
        ShownSentence.of(remedy.price(), links, n),
        explanation.effect(remedy),
        remedy.isEstimated());
  }
}
