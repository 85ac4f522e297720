package dev.vramscope.cli;

import dev.vramscope.cli.gpu.GpuCheckCommand;
import dev.vramscope.replay.InputException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;

/** Selects and runs the command that the first argument names. */
public final class CommandLine {
  private static final int INVALID_USAGE = 2;

  private static final Map<String, Command> COMMANDS =
      Map.of(
          "replay", new ReplayCommand(),
          "golden", new GoldenCommand(),
          "bench-allocator", new BenchAllocatorCommand(),
          "gpu-check", new GpuCheckCommand(),
          "summary", new SummaryCommand());

  private CommandLine() {}

  /** Whether the first argument is a command; otherwise the service starts with the arguments. */
  public static boolean isCommand(String[] arguments) {
    return arguments.length > 0 && COMMANDS.containsKey(arguments[0]);
  }

  /**
   * Runs the command that the first argument names.
   *
   * @return the exit code
   */
  public static int run(String[] arguments) {
    Command command = COMMANDS.get(arguments[0]);
    if (command == null) {
      throw new IllegalArgumentException("There is no command " + arguments[0] + ".");
    }
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    try {
      return command.run(List.of(arguments).subList(1, arguments.length), out);
    } catch (UsageException e) {
      System.err.println(arguments[0] + ": " + e.getMessage());
      return INVALID_USAGE;
    } catch (InputException e) {
      System.err.println(arguments[0] + ": " + e.getMessage());
      return Command.FAILED;
    } catch (NoSuchFileException e) {
      System.err.println(arguments[0] + ": there is no file " + e.getFile() + ".");
      return Command.FAILED;
    } catch (AccessDeniedException e) {
      System.err.println(arguments[0] + ": no permission to read the file " + e.getFile() + ".");
      return Command.FAILED;
    } catch (IOException e) {
      System.err.println(arguments[0] + ": " + e.getMessage());
      return Command.FAILED;
    } finally {
      // Output before a failure is part of the result.
      out.flush();
    }
  }
}
