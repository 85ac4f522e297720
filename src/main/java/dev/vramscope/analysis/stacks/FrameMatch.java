package dev.vramscope.analysis.stacks;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A condition on one frame of a stack, such as {@code file contains /torch/optim/}.
 *
 * @param isName whether it is about the name of the function, not about its file
 * @param text a file has slashes, no backslashes
 */
public record FrameMatch(boolean isName, Comparison comparison, String text) {
  private static final String EMPTY = "(empty)";

  /** How the text is compared with the frame's. */
  public enum Comparison {
    IS,
    STARTS,
    ENDS,
    CONTAINS
  }

  /**
   * Reads a condition.
   *
   * @param rule {@code name} or {@code file}, a comparison and a text, with blanks between them
   * @throws IllegalArgumentException if it is none
   */
  public static FrameMatch of(String rule) {
    String[] fields = rule.strip().split("\\s+", 3);
    if (fields.length < 3) {
      throw new IllegalArgumentException("a condition on a frame has three fields:  " + rule);
    }
    return new FrameMatch(
        isName(fields[0]),
        Comparison.valueOf(fields[1].toUpperCase(Locale.ROOT)),
        fields[2].equals(EMPTY) ? "" : fields[2]);
  }

  private static boolean isName(String word) {
    return switch (word) {
      case "name" -> true;
      case "file" -> false;
      default -> throw new IllegalArgumentException("a rule matches name or file, not  " + word);
    };
  }

  /** The innermost frame of a stack that fulfils one of some conditions, as a node of the table. */
  public static OptionalInt innermost(List<FrameMatch> conditions, int stack, StackTable stacks) {
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      for (FrameMatch condition : conditions) {
        if (condition.matches(stacks.frame(node))) {
          return OptionalInt.of(node);
        }
      }
    }
    return OptionalInt.empty();
  }

  /** Whether a frame fulfils it. */
  public boolean matches(Frame frame) {
    String subject = isName ? frame.name() : frame.file().replace('\\', '/');
    return switch (comparison) {
      case IS -> subject.equals(text);
      case STARTS -> subject.startsWith(text);
      case ENDS -> subject.endsWith(text);
      case CONTAINS -> subject.contains(text);
    };
  }
}
