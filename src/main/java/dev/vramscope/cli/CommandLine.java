package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Nearest;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.cli.gpu.GpuCheckCommand;
import dev.vramscope.replay.InputException;
import dev.vramscope.store.files.DataFolderException;
import dev.vramscope.store.files.StoreUnavailableException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** Selects and runs the command that the first argument names, and prints the help. */
public final class CommandLine {
  static final int INVALID_USAGE = 2;
  static final List<Command> COMMANDS =
      List.of(
          new ReplayCommand(),
          new ReportCommand(),
          new PlanCommand(),
          new SummaryCommand(),
          new GoldenCommand(),
          new BenchAllocatorCommand(),
          new GpuCheckCommand(),
          new BackupCommand(),
          new RestoreCommand(),
          new RebuildCommand());

  private static final String HELP = "help";
  private static final Set<String> HELP_OPTIONS = Set.of("--help", "-h");
  private static final Set<String> VERSION_OPTIONS = Set.of("--version", "-V");
  private static final String USAGE =
      """
      Usage: java -jar vramscope.jar [COMMAND] [OPTIONS]

      Explains GPU memory: where every byte went, and why a request failed. Without a command it
      starts the service.

      Commands:
      """;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  CommandLine(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = new VisibleOutput(out, /* flushesLines= */ false);
    this.err = new VisibleOutput(err, /* flushesLines= */ true);
    this.environment = environment;
  }

  /**
   * The command line of this process. What is printed to the standard error in any other way, such
   * as the stack trace of a defect, cannot control the terminal either.
   */
  public static CommandLine ofProcess() {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));
    CommandLine commandLine = new CommandLine(out, System.err, System.getenv());
    System.setErr(commandLine.err);
    return commandLine;
  }

  /**
   * Runs the command that the first argument names.
   *
   * @return the exit code; empty if the arguments are those of the service, which the caller starts
   */
  public OptionalInt run(String... arguments) {
    List<String> words = List.of(arguments);
    try {
      if (!words.isEmpty() && VERSION_OPTIONS.contains(words.getFirst())) {
        return version();
      }
      if (!words.isEmpty() && words.getFirst().equals(HELP)) {
        return help(words.subList(1, words.size()));
      }
      Optional<Command> command = words.isEmpty() ? Optional.empty() : command(words.getFirst());
      return command.isPresent()
          ? OptionalInt.of(run(command.get(), words.subList(1, words.size())))
          : serve(words);
    } finally {
      // Output before a failure is part of the result.
      out.flush();
    }
  }

  /** The arguments without the name of the command, for the service. */
  public static String[] serviceArguments(String... arguments) {
    return isServe(List.of(arguments))
        ? Arrays.copyOfRange(arguments, 1, arguments.length)
        : arguments;
  }

  /** The exit code of a service that could not start, for a failure that has been reported. */
  public static int exitCode(Throwable failure) {
    return SettingFailureAnalyzer.isCause(failure) ? INVALID_USAGE : Command.FAILED;
  }

  private static boolean isServe(List<String> arguments) {
    return !arguments.isEmpty() && arguments.getFirst().equals(ServiceOptions.NAME);
  }

  private static Optional<Command> command(String name) {
    return COMMANDS.stream()
        .filter(command -> command.description().name().equals(name))
        .findFirst();
  }

  private static boolean asksForHelp(List<String> arguments) {
    return arguments.stream().anyMatch(HELP_OPTIONS::contains);
  }

  private int run(Command command, List<String> arguments) {
    if (asksForHelp(arguments)) {
      out.print(command.description().help());
      return Command.DONE;
    }
    String name = command.description().name();
    HeapShortage shortage =
        HeapShortage.of(Stream.concat(Stream.of(name), arguments.stream()).toList());
    HeapWatch.start(shortage, err);
    try {
      return command.run(Arguments.of(arguments, command.description()), out);
    } catch (UsageException e) {
      printUsage(name, e);
      return INVALID_USAGE;
    } catch (InvalidPathException e) {
      err.println(name + ": there can be no file '" + e.getInput() + "': " + e.getReason() + ".");
      return INVALID_USAGE;
    } catch (DataFolderException e) {
      err.println(name + ": " + e.getMessage() + ". " + e.next());
    } catch (StoreUnavailableException e) {
      err.println(name + ": " + e.what() + ". " + e.next());
    } catch (InputException e) {
      err.println(name + ": " + e.getMessage());
    } catch (NoSuchFileException e) {
      err.println(name + ": there is no file " + e.getFile() + ".");
    } catch (AccessDeniedException e) {
      err.println(name + ": no permission to read the file " + e.getFile() + ".");
    } catch (IOException e) {
      err.println(name + ": " + e.getMessage());
    } catch (RuntimeException | Error failure) {
      if (!HeapShortage.isCause(failure)) {
        throw failure;
      }
      shortage.report(err);
    }
    return Command.FAILED;
  }

  private void printUsage(String name, UsageException e) {
    err.println(name + ": " + e.problem());
    if (!e.usage().isEmpty()) {
      err.println(e.usage());
    }
  }

  private OptionalInt serve(List<String> arguments) {
    boolean isNamed = isServe(arguments);
    if (!isNamed && asksForHelp(arguments)) {
      return help(List.of());
    }
    List<String> options = isNamed ? arguments.subList(1, arguments.size()) : arguments;
    ServiceOptions service = new ServiceOptions(ServiceSettings.load());
    if (asksForHelp(options)) {
      out.print(service.description().help());
      return OptionalInt.of(Command.DONE);
    }
    if (!isNamed && !options.isEmpty() && !options.getFirst().startsWith("-")) {
      return unknownCommand(options.getFirst());
    }
    try {
      service.check(options);
    } catch (UsageException e) {
      printUsage(ServiceOptions.NAME, e);
      return OptionalInt.of(INVALID_USAGE);
    }
    service.warnings(environment).forEach(err::println);
    return OptionalInt.empty();
  }

  private OptionalInt help(List<String> names) {
    if (names.isEmpty() || HELP_OPTIONS.contains(names.getFirst())) {
      out.print(USAGE);
      Stream.concat(Stream.of(service()), COMMANDS.stream().map(Command::description))
          .forEach(
              command ->
                  out.println(
                      "  " + Description.padded(command.name(), 16) + command.purpose() + "."));
      out.println("  help COMMAND    Prints the options of a command.");
      out.println();
      out.println("Options: --help, -h; --version, -V; those of the service ('help serve').");
      return OptionalInt.of(Command.DONE);
    }
    if (names.getFirst().equals(ServiceOptions.NAME)) {
      out.print(service().help());
      return OptionalInt.of(Command.DONE);
    }
    Optional<Command> command = command(names.getFirst());
    if (command.isEmpty()) {
      return unknownCommand(names.getFirst());
    }
    out.print(command.get().description().help());
    return OptionalInt.of(Command.DONE);
  }

  private OptionalInt unknownCommand(String name) {
    List<String> names =
        Stream.concat(
                Stream.of(ServiceOptions.NAME, HELP),
                COMMANDS.stream().map(command -> command.description().name()))
            .toList();
    err.println(
        "There is no command '"
            + name
            + "'."
            + Nearest.question(name, names)
            + " 'help' lists them.");
    return OptionalInt.of(INVALID_USAGE);
  }

  private OptionalInt version() {
    out.println("vramscope " + ServiceSettings.load().defaultOf("spring.application.version"));
    return OptionalInt.of(Command.DONE);
  }

  private static Description service() {
    return new ServiceOptions(ServiceSettings.load()).description();
  }
}
