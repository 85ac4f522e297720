package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.uses.StackBytes;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A rule that is for a failure.
 *
 * @param counted the memory that it is about
 */
public record MatchedRule(RemedyRule rule, StackBytes counted) {
  /** What costs least first; among these, what saves most. */
  private static final Comparator<MatchedRule> BEST_FIRST =
      Comparator.comparing((MatchedRule match) -> match.rule.kind())
          .thenComparing(Comparator.comparingLong(MatchedRule::savedBytes).reversed());

  /**
   * The rules for a failure, the best first.
   *
   * @param cause its first cause
   */
  public static List<MatchedRule> of(ProgramMemory memory, StackTable stacks, Cause cause) {
    long needed = memory.neededBytes();
    Set<String> topics = new HashSet<>();
    return RemedyRules.standard().stream()
        .filter(rule -> rule.condition().causes().contains(cause))
        .map(rule -> new MatchedRule(rule, rule.counted(memory, stacks)))
        .filter(match -> match.counted.bytes() > 0)
        .filter(match -> match.counted.bytes() >= match.rule.condition().leastShare() * needed)
        .sorted(BEST_FIRST)
        .filter(match -> topics.add(match.rule.topic()))
        .toList();
  }

  /** What the change would save, an estimate. */
  public long savedBytes() {
    return Math.round(counted.bytes() * rule.saves());
  }

  /** The innermost frame of the largest stack that the rule is about. */
  public OptionalInt frame(StackTable stacks) {
    return FrameMatch.innermost(rule.condition().frames(), counted.largestStack(), stacks);
  }
}
