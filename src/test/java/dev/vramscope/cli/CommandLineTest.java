package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The help of every command, and the rejection of unknown commands and options. */
class CommandLineTest {
  private static final OptionalInt STARTS_SERVICE = OptionalInt.empty();

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private OptionalInt run(String... arguments) {
    return run(Map.of(), arguments);
  }

  private OptionalInt run(Map<String, String> environment, String... arguments) {
    printed.reset();
    errors.reset();
    return new CommandLine(
            new PrintStream(printed, true, StandardCharsets.UTF_8),
            new PrintStream(errors, true, StandardCharsets.UTF_8),
            environment)
        .run(arguments);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  static Stream<Description> commands() {
    return Stream.concat(
        Stream.of(new ServiceOptions(ServiceSettings.load()).description()),
        CommandLine.COMMANDS.stream().map(Command::description));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void missingArgumentIsNamed(Description command) {
    assumeThat(command.operands()).isNotEmpty();
    assertThat(run(command.name())).hasValue(CommandLine.INVALID_USAGE);
    assertThat(errors())
        .isEqualTo(
            "%s: the argument %s is missing.\n%s\n"
                .formatted(command.name(), command.operands(), command.usage()));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpOfACommandListsItsOptions(Description command) {
    for (String[] arguments :
        new String[][] {
          {command.name(), "--help"}, {command.name(), "-h"}, {"help", command.name()}
        }) {
      assertThat(run(arguments)).as(Arrays.toString(arguments)).hasValue(Command.DONE);
      assertThat(printed()).contains("Usage: " + command.name()).contains(command.purpose());
      assertThat(printed().lines())
          .as("a line for each option")
          .filteredOn(line -> line.startsWith("  -"))
          .hasSize(command.options().size() + 1);
      for (Option option : command.options()) {
        assertThat(option.description()).as(option.name()).isNotBlank();
        assertThat(printed()).contains(option.name()).contains(option.description());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void commandRejectsUnknownOptions(Description command) {
    assertThat(run(command.name(), "--xyzzy=1")).hasValue(2);
    assertThat(errors())
        .startsWith(
            command.name().equals("plan") // Each parameter of a program is an option.
                ? "plan: --xyzzy '1' names no file"
                : command.name() + ": There is no option --xyzzy.");
    assertThat(printed()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void mistypedOptionIsAnsweredWithTheNearestOne(Description command) {
    for (Option option : command.options()) {
      String name = option.name().replaceAll("=.*", "");
      String mistyped = name.substring(0, name.length() - 1);
      if (!name.startsWith("--server.")) { // Spring's own options are not checked.
        assertThat(run(command.name(), mistyped + "=1")).as(mistyped).hasValue(2);
        assertThat(errors()).contains("Did you mean " + name + "?");
      }
    }
  }

  @Test
  void generalHelpListsEveryCommand() {
    for (String argument : new String[] {"--help", "-h", "help"}) {
      assertThat(run(argument)).hasValue(Command.DONE);
      commands().forEach(command -> assertThat(printed()).contains("\n  " + command.name() + " "));
    }
  }

  @Test
  void versionIsPrinted() {
    assertThat(run("--version")).hasValue(Command.DONE);
    assertThat(printed()).matches("vramscope \\S+\n");
  }

  @ParameterizedTest
  @CsvSource({"replya,replay", "sumary,summary", "server,serve", "hlep,help"})
  void unknownCommandIsAnsweredWithTheNearestOne(String name, String nearest) {
    assertThat(run(name, "file")).hasValue(2);
    assertThat(errors()).contains("no command '" + name + "'", "Did you mean " + nearest + "?");
    assertThat(run("help", name)).hasValue(2);
    assertThat(errors()).contains("Did you mean " + nearest + "?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--vramscope.data-dir=/tmp/x",
        "--vramscope.dataDir=/tmp/x",
        "--vramscope.data_dir=/tmp/x",
        "--vramscope.host-names[0]=gpu",
        "--vramscope.live.maxAllocators=2",
        "--server.port=9000",
        "--spring.main.banner-mode=off",
        "--logging.level.root=debug",
        "--management.endpoints.web.exposure.include=health",
        "--debug"
      })
  void serviceAcceptsSettingsInEveryFormThatSpringBinds(String argument) {
    assertThat(run(argument)).as(errors()).isEqualTo(STARTS_SERVICE);
    assertThat(run("serve", argument)).isEqualTo(STARTS_SERVICE);
    assertThat(errors()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--vramscope.data-dri=/tmp/x,Did you mean --vramscope.data-dir?",
    "--vramscope.live.max-allocator=2,Did you mean --vramscope.live.max-allocators?",
    "--data-dir=/tmp/x,Did you mean --vramscope.data-dir?",
    "--port=9000,Did you mean --server.port?",
    "--vramscope.live=2,There is no option --vramscope.live.",
    "--server.port,--server.port needs a value after an equals sign",
    "-Dserver.port=1,neither a command nor an option of the form --name=value"
  })
  void serviceRejectsOtherOptions(String argument, String message) {
    assertThat(run(argument)).hasValue(2);
    assertThat(errors()).contains(message);
    assertThat(run("serve", argument)).hasValue(2);
  }

  @Test
  void optionsOfTheServiceFollowItsName() {
    assertThat(CommandLine.serviceArguments("serve", "--server.port=1"))
        .containsExactly("--server.port=1");
    assertThat(CommandLine.serviceArguments("--server.port=1")).containsExactly("--server.port=1");
  }

  @Test
  void environmentVariableWithoutSettingIsReported() {
    assertThat(run(Map.of("VRAMSCOPE_DATADRI", "/tmp/x"))).isEqualTo(STARTS_SERVICE);
    assertThat(errors())
        .contains("VRAMSCOPE_DATADRI has no effect", "Did you mean VRAMSCOPE_DATADIR?");
    Map<String, String> known =
        Map.of(
            "VRAMSCOPE_DATADIR", "x",
            "VRAMSCOPE_DATA_DIR", "x",
            "VRAMSCOPE_HOSTNAMES_0", "x",
            "VRAMSCOPE_TOKEN", "x",
            "VRAMSCOPE_JAVA_OPTS", "x",
            "VRAMSCOPE_EMULATOR_BYTES", "x");
    assertThat(run(known)).isEqualTo(STARTS_SERVICE);
    assertThat(errors()).isEmpty();
  }
}
