package dev.vramscope.cli;

import dev.vramscope.cli.ServiceSettings.Setting;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Nearest;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The options of the service: Spring properties in the form {@code --name=value}. Spring ignores
 * those that it does not recognize, so a mistyped one would have no effect; here it is an error.
 */
final class ServiceOptions {
  static final String NAME = "serve";
  private static final String OWN = "vramscope";
  private static final String OWN_VARIABLE = "VRAMSCOPE_";

  /** Read by scripts, by the CUDA binding and by the emulated driver of the tests. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("VRAMSCOPE_JAVA_OPTS", "VRAMSCOPE_CUDA_LIBRARY", "VRAMSCOPE_URL", "VRAMSCOPE_SUMMARY");

  private static final String EMULATOR_VARIABLE = "VRAMSCOPE_EMULATOR_";

  /** Prefixes of Spring's own properties, which Spring validates. */
  private static final List<String> SPRING =
      List.of("server.", "spring.", "logging.", "management.", "springdoc.");

  private static final Set<String> SPRING_FLAGS = Set.of("--debug", "--trace");
  private static final List<String> IN_HELP = List.of("server.port", "server.address");

  private final ServiceSettings settings;

  ServiceOptions(ServiceSettings settings) {
    this.settings = settings;
  }

  /** The settings that the help lists; Spring's others are in its documentation. */
  Description description() {
    List<Option> options = new ArrayList<>();
    Stream.concat(
            IN_HELP.stream().flatMap(name -> settings.find(name).stream()),
            settings.below(OWN).stream())
        .forEach(setting -> options.add(option(setting)));
    return new Description(
        NAME,
        "Starts the service; the same as no command",
        "",
        """
        Every setting is an option, a line of ./application.properties, or an environment
        variable: VRAMSCOPE_DATADIR is vramscope.data-dir. The options that begin with --server.,
        --spring., --logging. and --management. are those of Spring Boot.\
        """,
        NAME + " --server.port=9000 --vramscope.data-dir=/srv/vramscope",
        options);
  }

  private static Option option(Setting setting) {
    String value = setting.defaultValue();
    return Option.flag(
        "--" + setting.name() + "=" + (value.isEmpty() ? "..." : value), setting.description());
  }

  /**
   * Checks the arguments of the service.
   *
   * @throws UsageException if one is not a known option with a value
   */
  void check(List<String> arguments) {
    for (String argument : arguments) {
      check(argument);
    }
  }

  private void check(String argument) {
    if (SPRING_FLAGS.contains(argument)) {
      return;
    }
    if (!argument.startsWith("--")) {
      throw new UsageException(
          "'"
              + argument
              + "' is neither a command nor an option of the form --name=value. 'help' lists the"
              + " commands, 'help serve' the options.");
    }
    int equals = argument.indexOf('=');
    String name = argument.substring(2, equals < 0 ? argument.length() : equals);
    if (!isKnown(name)) {
      throw new UsageException(
          "There is no option --" + name + "." + suggestion(name) + " 'help serve' lists them.");
    }
    if (equals < 0) {
      throw new UsageException(
          "--" + name + " needs a value after an equals sign: --" + name + "=VALUE.");
    }
  }

  private boolean isKnown(String name) {
    return SPRING.stream().anyMatch(name::startsWith) || settings.find(name).isPresent();
  }

  private String suggestion(String name) {
    return Nearest.question(
        "--" + name, settings.all().stream().map(setting -> "--" + setting.name()).toList());
  }

  /** Warnings for environment variables that look like a setting and are none. */
  List<String> warnings(Map<String, String> environment) {
    Predicate<String> isKnownVariable =
        name ->
            OTHER_VARIABLES.contains(name)
                || name.startsWith(EMULATOR_VARIABLE)
                || settings.find(name).isPresent();
    return environment.keySet().stream()
        .filter(name -> name.startsWith(OWN_VARIABLE))
        .filter(isKnownVariable.negate())
        .sorted()
        .map(
            name ->
                "The environment variable "
                    + name
                    + " has no effect: there is no such setting."
                    + Nearest.question(name, variables()))
        .toList();
  }

  private List<String> variables() {
    return settings.below(OWN).stream().map(setting -> variable(setting.name())).toList();
  }

  private static String variable(String setting) {
    return setting.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
