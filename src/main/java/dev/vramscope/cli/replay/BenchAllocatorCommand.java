package dev.vramscope.cli.replay;

import dev.vramscope.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Measures. */
public final class BenchAllocatorCommand implements Command {
  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    return FAILED;
  }
}
