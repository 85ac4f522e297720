package dev.vramscope.cli;

import dev.vramscope.cli.gpu.GpuCheckCommand;
import dev.vramscope.cli.replay.BenchAllocatorCommand;
import dev.vramscope.cli.replay.GoldenCommand;
import dev.vramscope.cli.replay.ReplayCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;

/** Finds the command for a verb and runs it. */
public final class CommandLine {
  private static final int CALLED_WRONGLY = 2;

  private static final Map<String, Command> COMMANDS =
      Map.of(
          "replay", new ReplayCommand(),
          "golden", new GoldenCommand(),
          "bench-allocator", new BenchAllocatorCommand(),
          "gpu-check", new GpuCheckCommand(),
          "summary", new SummaryCommand());

  private CommandLine() {}

  /** Whether the arguments begin with a verb of ours; otherwise they belong to the service. */
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
      int code = command.run(List.of(arguments).subList(1, arguments.length), out);
      out.flush();
      return code;
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      return CALLED_WRONGLY;
    } catch (NoSuchFileException e) {
      System.err.println("There is no file " + e.getFile() + ".");
      return CALLED_WRONGLY;
    } catch (IOException e) {
      System.err.println(arguments[0] + ": " + e.getMessage());
      return Command.FAILED;
    }
  }
}
