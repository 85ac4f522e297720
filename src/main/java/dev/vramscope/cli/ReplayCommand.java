package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.replay.ReplayConfig;
import dev.vramscope.replay.TraceKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Replays one trace and prints its records. */
public final class ReplayCommand implements Command {
  private static final Description DESCRIPTION =
      new Description(
          "replay",
          "Replays a trace on a simulated device and prints a JSON record for each operation",
          "TRACE",
          "TRACE is a text file, uncompressed or as gzip or zstd.",
          "replay lab-trace.txt --config lab-config.txt --allocator bfc",
          List.of(TraceOptions.ALLOCATOR_OPTION, TraceOptions.CONFIG_OPTION));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    TraceKind kind = TraceOptions.kind(arguments);
    ReplayConfig config = TraceOptions.config(arguments);
    kind.warnings(config).forEach(System.err::println);
    kind.replay().replay(config, Path.of(arguments.operand()), out);
    return DONE;
  }
}
