package dev.vramscope.cli.arguments;

import java.io.IOException;
import java.io.PrintStream;

/** A subcommand of the program. */
public interface Command {
  int DONE = 0;
  int FAILED = 1;

  /** The name and the arguments of this command. */
  Description description();

  /**
   * Runs the command.
   *
   * @param arguments the arguments after the name of the command, with the options that its
   *     description has
   * @param out standard output, flushed by the caller
   * @return the exit code
   * @throws UsageException if the value of an argument is invalid
   */
  int run(Arguments arguments, PrintStream out) throws IOException;
}
