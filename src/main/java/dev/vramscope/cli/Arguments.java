package dev.vramscope.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command: options, with or without a value, and at most one operand.
 *
 * @param options values by option name; the value of a flag is empty
 * @param operand usually the name of a file; empty if the command takes none
 */
public record Arguments(Map<String, String> options, String operand) {
  public Arguments {
    options = Map.copyOf(options);
  }

  /**
   * Parses arguments. The value of an option is the next argument, or follows an equals sign.
   *
   * @throws UsageException with the usage, if an argument is unknown, or a value or the operand is
   *     missing
   */
  public static Arguments of(List<String> arguments, Description command) {
    Map<String, String> options = new HashMap<>();
    String operand = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!isOption(argument)) {
        if (operand != null || command.operands().isEmpty()) {
          throw new UsageException(
              "'" + argument + "' is an unexpected argument.\n" + command.usage());
        }
        operand = argument;
        continue;
      }
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      Option option = option(name, command);
      if (!option.takesValue()) {
        if (equals >= 0) {
          throw new UsageException(name + " takes no value.\n" + command.usage());
        }
        options.put(name, "");
      } else if (equals >= 0) {
        options.put(name, argument.substring(equals + 1));
      } else {
        if (++i == arguments.size()) {
          throw new UsageException(name + " needs a value.\n" + command.usage());
        }
        options.put(name, arguments.get(i));
      }
    }
    if (operand == null && !command.operands().isEmpty()) {
      throw new UsageException(
          "the argument " + command.operands() + " is missing.\n" + command.usage());
    }
    return new Arguments(options, operand == null ? "" : operand);
  }

  private static boolean isOption(String argument) {
    return argument.startsWith("-") && argument.length() > 1;
  }

  private static Option option(String name, Description command) {
    return command.options().stream()
        .filter(option -> option.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "There is no option "
                        + name
                        + "."
                        + Nearest.question(
                            name, command.options().stream().map(Option::name).toList())
                        + "\n"
                        + command.usage()));
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** The value of the option, or null. */
  public @Nullable String value(String option) {
    return options.get(option);
  }
}
