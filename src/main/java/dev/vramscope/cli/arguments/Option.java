package dev.vramscope.cli.arguments;

import org.jspecify.annotations.Nullable;

/**
 * An option of a command.
 *
 * @param name starts with two hyphens
 * @param value what stands for the value in the help, or null if the option takes none
 * @param description one sentence without its full stop
 * @param isAnyName whether it stands for every option that the command does not list
 */
public record Option(String name, @Nullable String value, String description, boolean isAnyName) {
  /** Every other option, each with a value. */
  public static Option ofAnyName(String name, String value, String description) {
    return new Option(name, value, description, /* isAnyName= */ true);
  }

  /** An option that takes a value. */
  public static Option valued(String name, String value, String description) {
    return new Option(name, value, description, /* isAnyName= */ false);
  }

  /** An option without a value. */
  public static Option flag(String name, String description) {
    return new Option(name, null, description, /* isAnyName= */ false);
  }

  public boolean takesValue() {
    return value != null;
  }

  /** The option with its value, such as {@code --config FILE}. */
  public String syntax() {
    return value == null ? name : name + " " + value;
  }
}
