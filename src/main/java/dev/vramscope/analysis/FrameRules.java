package dev.vramscope.analysis;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.OptionalInt;

/** Classes frames by the ordered patterns of one data file, {@code frame-rules.txt}. */
public final class FrameRules {
  private FrameRules() {}

  /** The rules that come with the program. */
  public static FrameRules standard() {
    return Unbuilt.value();
  }

  public FrameKind kind(Frame frame) {
    return Unbuilt.value();
  }

  /** What allocations made under a stack probably are; a heuristic. */
  public Category category(StackTable stacks, int stack) {
    return Unbuilt.value();
  }

  /**
   * The node of the innermost frame of the user's own code; without one, of the innermost package
   * frame; without one, of the innermost frame; empty for no stack.
   */
  public OptionalInt siteNode(StackTable stacks, int stack) {
    return Unbuilt.value();
  }

  /** What memory is probably used for, guessed from its stack. */
  public enum Category {
    PARAMETERS,
    GRADIENTS,
    OPTIMIZER,
    ACTIVATIONS,
    COMMUNICATION,
    WORKSPACE,
    UNKNOWN
  }
}
