package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.uses.StackBytes;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A change of a program that gives memory, when it helps, and how that was shown. Each is a file in
 * the resources, {@code remedies/ID.json}; {@code docs/remedies.md} describes the format.
 *
 * @param id the name of its file
 * @param topic of some rules with the same topic, only the best is said
 * @param condition when it helps
 * @param saves the share of the memory that the condition counts that it would save, 0 to 1
 * @param kind what it changes
 * @param text what is said
 * @param source a public page that describes it
 * @param tried a program in which it was tried
 */
public record RemedyRule(
    String id,
    String topic,
    Condition condition,
    double saves,
    Kind kind,
    Text text,
    String source,
    @Nullable Tried tried) {
  /**
   * When a change helps.
   *
   * @param causes of the failures that it is for
   * @param part the memory that it is about
   * @param frames conditions one of which a frame of a stack has to fulfil, for the stack's memory
   *     to count; none: all memory of the part counts
   * @param without conditions that no frame of such a stack may fulfil
   * @param leastShare the least share of what counts in all that was needed, 0 to 1
   */
  public record Condition(
      Set<Cause> causes,
      ProgramPart part,
      List<FrameMatch> frames,
      List<FrameMatch> without,
      double leastShare) {}

  /**
   * What is said; code is between backquotes, and {@code {line}}, {@code {caller}} and {@code
   * {frame}} stand for lines of the program.
   *
   * @param action what to do, in the imperative
   * @param what the memory that counts is
   * @param price what it costs; may be empty
   * @param since the first versions that have it; may be empty
   */
  public record Text(String action, String what, String price, String since) {}

  /** What a change costs, the least first. */
  public enum Kind {
    /** Nothing: the memory is of no use to the program. */
    WASTE,
    /** The results stay the same. */
    SAME_RESULTS,
    /** The results stay the same, but take longer. */
    TIME,
    /** How the program trains its parameters. */
    METHOD,
    /** Which parameters the program trains. */
    MODEL
  }

  /**
   * A program that did not fit, with and without the change.
   *
   * @param program its folder in the test data
   * @param before the peak of allocated bytes without the change, on a device that is large enough
   * @param after the peak with it, on the device on which the program had failed
   */
  public record Tried(String program, long before, long after) {}

  /** The memory that counts. */
  StackBytes counted(ProgramMemory memory, StackTable stacks) {
    IntPredicate fulfils =
        stack ->
            (condition.frames.isEmpty() || isAny(condition.frames, stack, stacks))
                && !isAny(condition.without, stack, stacks);
    return memory.part(condition.part).where(fulfils);
  }

  private static boolean isAny(List<FrameMatch> conditions, int stack, StackTable stacks) {
    return FrameMatch.innermost(conditions, stack, stacks).isPresent();
  }
}
