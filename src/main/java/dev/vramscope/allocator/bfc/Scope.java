package dev.vramscope.allocator.bfc;

import java.util.List;

/**
 * An annotated activity of a program, for example running an executable.
 *
 * @param arguments pairs in the form {@code key=value}
 */
public record Scope(String name, List<String> arguments) {
  public Scope {
    arguments = List.copyOf(arguments);
  }

  /** The format of XLA's logs. */
  String text() {
    return arguments.isEmpty() ? name : name + "{" + String.join(", ", arguments) + "}";
  }
}
