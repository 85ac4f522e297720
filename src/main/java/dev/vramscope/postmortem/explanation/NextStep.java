package dev.vramscope.postmortem.explanation;

import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Target.Section;
import java.util.Optional;

/** The sentence about what to do next: the first remedy with its proof. */
final class NextStep {
  private final Remedies remedies;

  NextStep(Remedies remedies) {
    this.remedies = remedies;
  }

  Sentence sentence() {
    Optional<Remedy> first = remedies.first();
    if (remedies.isPending() && first.map(NextStep::isForOneRequest).orElse(true)) {
      return Sentence.of(
              "A setting may solve this. Replays of the recording show which ones would have"
                  + " served the request: ")
          .link("see the results", new Target.Section(Section.Name.REMEDIES))
          .words(".")
          .build();
    }
    if (first.isEmpty()) {
      return Sentence.of("Nothing in this recording supports a specific change. ")
          .link("What was tried", new Target.Section(Section.Name.REMEDIES))
          .words(" is listed below.")
          .build();
    }
    Remedy best = first.get();
    Sentence.Builder text = new Sentence.Builder().sentence(best.action().and(best.proof()));
    if (best.isEstimated()) {
      text.words(" These numbers are estimates.");
    }
    return text.build();
  }

  /** Whether a setting that gets past the failure would be the better advice. */
  private static boolean isForOneRequest(Remedy remedy) {
    return remedy.effect().compareTo(Effect.PASSES_FAILURE) > 0;
  }
}
