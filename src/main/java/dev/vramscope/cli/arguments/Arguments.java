package dev.vramscope.cli.arguments;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command: options, with or without a value, and at most one operand.
 *
 * @param options values by option name, the last one of an option that is repeated; the value of a
 *     flag is empty
 * @param operand usually the name of a file; empty if the command takes none
 * @param optionValues all options in their order
 */
public record Arguments(
    Map<String, String> options, String operand, List<OptionValue> optionValues) {
  public Arguments {
    options = Map.copyOf(options);
    optionValues = List.copyOf(optionValues);
  }

  /** Arguments without a repeated option. */
  public Arguments(Map<String, String> options, String operand) {
    this(
        options,
        operand,
        options.entrySet().stream()
            .map(option -> new OptionValue(option.getKey(), option.getValue()))
            .toList());
  }

  /** One option with its value. */
  public record OptionValue(String option, String value) {}

  /**
   * Parses arguments. The value of an option is the next argument, or follows an equals sign.
   *
   * @throws UsageException with the usage, if an argument is unknown, or a value or the operand is
   *     missing
   */
  public static Arguments of(List<String> arguments, Description command) {
    Map<String, String> options = new HashMap<>();
    List<OptionValue> optionValues = new ArrayList<>();
    String operand = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!isOption(argument)) {
        if (operand != null || command.operands().isEmpty()) {
          throw new UsageException("'" + argument + "' is an unexpected argument.", command);
        }
        operand = argument;
        continue;
      }
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      Option option = option(name, command);
      if (!option.takesValue()) {
        if (equals >= 0) {
          throw new UsageException(name + " takes no value.", command);
        }
        options.put(name, "");
      } else if (equals >= 0) {
        options.put(name, argument.substring(equals + 1));
      } else {
        if (++i == arguments.size()) {
          throw new UsageException(name + " needs a value.", command);
        }
        options.put(name, arguments.get(i));
      }
      optionValues.add(new OptionValue(name, String.valueOf(options.get(name))));
    }
    if (operand == null && !command.operands().isEmpty()) {
      throw new UsageException("the argument " + command.operands() + " is missing.", command);
    }
    return new Arguments(options, operand == null ? "" : operand, optionValues);
  }

  private static boolean isOption(String argument) {
    return argument.startsWith("-") && argument.length() > 1;
  }

  private static Option option(String name, Description command) {
    return command.options().stream()
        .filter(option -> option.name().equals(name))
        .findFirst()
        .or(() -> command.options().stream().filter(Option::isAnyName).findFirst())
        .orElseThrow(
            () ->
                new UsageException(
                    "There is no option "
                        + name
                        + "."
                        + Nearest.question(
                            name, command.options().stream().map(Option::name).toList()),
                    command));
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** The values of an option that may be repeated, in their order. */
  public List<String> values(String option) {
    return optionValues.stream()
        .filter(each -> each.option().equals(option))
        .map(OptionValue::value)
        .toList();
  }

  /** The value of the option, or null. */
  public @Nullable String value(String option) {
    return options.get(option);
  }
}
