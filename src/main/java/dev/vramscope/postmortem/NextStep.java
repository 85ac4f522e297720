package dev.vramscope.postmortem;

import dev.vramscope.postmortem.Remedy.Kind;
import dev.vramscope.postmortem.Target.Section;
import java.util.Optional;

/** The sentence about what to do next: the first remedy with its proof. */
final class NextStep {
  private final Remedies remedies;

  NextStep(Remedies remedies) {
    this.remedies = remedies;
  }

  Sentence sentence() {
    Optional<Remedy> first = remedies.first();
    boolean isLastResort = first.isPresent() && first.get().kind() == Kind.LARGER_DEVICE;
    if (first.isEmpty() || (isLastResort && !remedies.isReplayed())) {
      return remedies.isReplayed()
          ? Sentence.of("Nothing in this recording supports a specific change. ")
              .link("What was tried", new Target.Section(Section.Name.REMEDIES))
              .words(" is listed below.")
              .build()
          : Sentence.of(
                  "Replays of the recording under other settings show what would have helped: ")
              .link("see the results", new Target.Section(Section.Name.REMEDIES))
              .words(".")
              .build();
    }
    Remedy best = first.get();
    Sentence.Builder text = new Sentence.Builder().sentence(best.action().and(best.proof()));
    if (best.isEstimated()) {
      text.words(" (estimated)");
    }
    return text.build();
  }
}
