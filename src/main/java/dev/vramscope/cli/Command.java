package dev.vramscope.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** One verb. */
public interface Command {
  int DONE = 0;
  int FAILED = 1;

  /**
   * Does it.
   *
   * @param arguments what follows the verb
   * @param out standard output; the command flushes what it wrote
   * @return the exit code
   * @throws UsageException if the arguments make no sense
   */
  int run(List<String> arguments, PrintStream out) throws IOException;
}
