package dev.vramscope.allocator.bfc;

import java.util.List;

/**
 * Something that a program is doing, for example running an executable.
 *
 * @param arguments each {@code key=value}
 */
public record Scope(String name, List<String> arguments) {
  public Scope {
    arguments = List.copyOf(arguments);
  }

  /** As in the original's logs. */
  String text() {
    return arguments.isEmpty() ? name : name + "{" + String.join(", ", arguments) + "}";
  }
}
