package dev.vramscope.postmortem.explanation;

import java.util.List;
import java.util.Optional;

/**
 * What would have helped, the most effective first.
 *
 * @param ranked may be empty
 * @param replays which replays the remedies stand on, or why there are none
 * @param isPending whether the recording could be replayed but has not been, so that remedies that
 *     need a replay are missing
 */
public record Remedies(List<Remedy> ranked, Sentence replays, boolean isPending) {
  public Remedies {
    ranked = ranked.stream().sorted(Remedy.BEST_FIRST).toList();
  }

  /** The remedies, with or without replays. */
  static Remedies of(List<Remedy> remedies, Sentence replays) {
    return new Remedies(remedies, replays, /* isPending= */ false);
  }

  /** The remedies that need no replay; the others are missing. */
  static Remedies withPendingReplays(List<Remedy> remedies) {
    return new Remedies(remedies, Sentence.EMPTY, /* isPending= */ true);
  }

  /** The most effective one. */
  public Optional<Remedy> first() {
    return ranked.stream().findFirst();
  }
}
