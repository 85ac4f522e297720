package dev.vramscope.postmortem;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What would have helped, the most effective first.
 *
 * @param ranked may be empty
 * @param isReplayed whether the trace has been replayed under other settings; until then remedies
 *     that need a replay are missing
 */
public record Remedies(List<Remedy> ranked, boolean isReplayed) {
  public Remedies {
    ranked = ranked.stream().sorted(Remedy.BEST_FIRST).toList();
  }

  /** The most effective one. */
  public Optional<Remedy> first() {
    return ranked.stream().findFirst();
  }

  /** These and those that a replay supports. */
  Remedies with(Collection<Remedy> replayed) {
    List<Remedy> all = new ArrayList<>(ranked);
    all.addAll(replayed);
    return new Remedies(all, true);
  }
}
