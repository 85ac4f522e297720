package dev.vramscope.explain.producer;

import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.program.ProgramPart;
import dev.vramscope.postmortem.program.RemedyRule;
import dev.vramscope.postmortem.program.RemedyRules;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** The code whose request failed, from the traceback of a log, and the remedies for such code. */
public final class FailingCode {
  /** What a rule may be about if only the failing request is known, not what else is live. */
  private static final Set<ProgramPart> PARTS =
      EnumSet.of(ProgramPart.STEP, ProgramPart.FIRST_OPTIMIZER_STEP, ProgramPart.LIVE);

  private final StackClasses stacks;
  private final int stack;

  private FailingCode(StackClasses stacks, int stack) {
    this.stacks = stacks;
    this.stack = stack;
  }

  /**
   * Classifies the frames of a traceback.
   *
   * @param outermostFirst at least one
   */
  static FailingCode of(List<Frame> outermostFirst) {
    StackTable.Builder table = new StackTable.Builder();
    int stack = table.stack(outermostFirst.reversed());
    return new FailingCode(FrameRules.standard().classify(table.build()), stack);
  }

  /** Where the request was made, as a sentence. */
  public String sentence() {
    String line = name(stacks.siteOf(stack));
    if (stacks.isOptimizerState(stack)) {
      return "The request was made by an optimizer that makes its state"
          + library()
          + ", called by "
          + line
          + ": state for each trained parameter, which its first step makes and which stays.";
    }
    if (stacks.isBackward(stack)) {
      return "The request was made in a backward pass, called by "
          + line
          + ": it needs memory for gradients, beside what the forward pass keeps for it.";
    }
    return "The request was made by " + line + library() + ".";
  }

  /** What may help programs with such code; nothing in a log proves it. */
  public List<Advice> remedies() {
    return RemedyRules.standard().stream()
        .filter(rule -> PARTS.contains(rule.condition().part()))
        .filter(rule -> !rule.condition().frames().isEmpty())
        .filter(rule -> frame(rule.condition().without()).isEmpty())
        .filter(rule -> frame(rule.condition().frames()).isPresent())
        .map(this::advice)
        .toList();
  }

  private Advice advice(RemedyRule rule) {
    String line = name(stacks.siteOf(stack));
    String action =
        rule.text()
            .action()
            .replace("`", "")
            .replace("{line}", line)
            .replace("{caller}", line)
            .replace("{frame}", name(frame(rule.condition().frames()).orElse(stack)));
    return new Advice(action + ". " + rule.text().price(), "");
  }

  private OptionalInt frame(List<FrameMatch> conditions) {
    return FrameMatch.innermost(conditions, stack, stacks.stacks());
  }

  /** " at softmax (functional.py:2215)": the line of a library, if it says more. */
  private String library() {
    OptionalInt line = stacks.libraryLine(stack);
    return line.isPresent() ? " at " + name(line.getAsInt()) : "";
  }

  private String name(int node) {
    Frame frame = stacks.stacks().frame(node);
    String file = frame.file().replace('\\', '/');
    return frame.name()
        + " ("
        + file.substring(file.lastIndexOf('/') + 1)
        + ":"
        + frame.line()
        + ")";
  }
}
