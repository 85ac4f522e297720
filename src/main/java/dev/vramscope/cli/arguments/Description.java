package dev.vramscope.cli.arguments;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The name and the arguments of a command: what it accepts is exactly what its help lists.
 *
 * @param name the first argument of the command line
 * @param purpose one sentence without its full stop
 * @param operands the syntax of the arguments that are not options, such as {@code TRACE}; may be
 *     empty
 * @param details further sentences for the help; may be empty
 * @param example the arguments of an example, with the name of the command
 */
public record Description(
    String name,
    String purpose,
    String operands,
    String details,
    String example,
    List<Option> options) {
  /** What a user writes before the name of a command. */
  public static final String PROGRAM = "java -jar vramscope.jar ";

  private static final String INDENT = "  ";
  private static final int MAX_IN_USAGE = 6;

  public Description {
    options = List.copyOf(options);
  }

  /** One line with all options, unless they are too many. */
  public String usage() {
    return Stream.of(
            Stream.of("Usage:", name),
            options.size() > MAX_IN_USAGE
                ? Stream.of("[OPTIONS]")
                : options.stream().map(option -> "[" + option.syntax() + "]"),
            Stream.of(operands))
        .flatMap(words -> words)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** The usage, the purpose, one line for each option, and an example. */
  public String help() {
    StringBuilder help = new StringBuilder(usage()).append("\n\n").append(purpose).append(".\n");
    if (!details.isEmpty()) {
      help.append(details).append('\n');
    }
    List<Option> all =
        Stream.concat(options.stream(), Stream.of(Option.flag("--help, -h", "Prints this help")))
            .toList();
    int width = all.stream().mapToInt(option -> option.syntax().length()).max().orElse(0);
    help.append("\nOptions:\n");
    for (Option option : all) {
      help.append(INDENT)
          .append(padded(option.syntax(), width))
          .append(INDENT)
          .append(option.description())
          .append('\n');
    }
    return help.append("\nExample:\n")
        .append(INDENT)
        .append(PROGRAM)
        .append(example)
        .append('\n')
        .toString();
  }

  /** The text with blanks up to a width. */
  public static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
