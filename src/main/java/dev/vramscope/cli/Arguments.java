package dev.vramscope.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command: options, with or without a value, and one operand.
 *
 * @param options values by option name; the value of a flag is empty
 * @param operand usually the name of a file
 */
public record Arguments(Map<String, String> options, String operand) {
  public Arguments {
    options = Map.copyOf(options);
  }

  /**
   * Parses arguments.
   *
   * @param valued options that take a value
   * @param flags options without a value
   * @throws UsageException with the usage text, if an argument is unknown or the operand is missing
   */
  public static Arguments of(
      List<String> arguments, Set<String> valued, Set<String> flags, String usage) {
    Map<String, String> options = new HashMap<>();
    String operand = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (flags.contains(argument)) {
        options.put(argument, "");
      } else if (valued.contains(argument)) {
        if (++i == arguments.size()) {
          throw new UsageException(argument + " needs a value.\n" + usage);
        }
        options.put(argument, arguments.get(i));
      } else if (argument.startsWith("--")) {
        throw new UsageException("There is no option " + argument + ".\n" + usage);
      } else if (operand != null) {
        throw new UsageException("'" + argument + "' is an unexpected argument.\n" + usage);
      } else {
        operand = argument;
      }
    }
    if (operand == null) {
      throw new UsageException(usage);
    }
    return new Arguments(options, operand);
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** The value of the option, or null. */
  public @Nullable String value(String option) {
    return options.get(option);
  }
}
