package dev.vramscope.postmortem;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What would have helped, the most effective first.
 *
 * @param ranked may be empty
 * @param replays which replays the remedies stand on; empty as long as the recording has not been
 *     replayed, so that remedies that need a replay are missing
 */
public record Remedies(List<Remedy> ranked, Sentence replays) {
  public Remedies {
    ranked = ranked.stream().sorted(Remedy.BEST_FIRST).toList();
  }

  /** Whether the recording has been replayed under other settings. */
  public boolean isReplayed() {
    return !replays.isEmpty();
  }

  /** The most effective one. */
  public Optional<Remedy> first() {
    return ranked.stream().findFirst();
  }

  /** These and those that replays support. */
  Remedies with(Collection<Remedy> replayed, Sentence note) {
    List<Remedy> all = new ArrayList<>(ranked);
    all.addAll(replayed);
    return new Remedies(all, note);
  }
}
