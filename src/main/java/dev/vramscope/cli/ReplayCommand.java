package dev.vramscope.cli;

import dev.vramscope.replay.ReplayConfig;
import dev.vramscope.replay.TraceKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Replays one trace and prints its records. */
public final class ReplayCommand implements Command {
  private static final String USAGE =
      "Usage: replay [--allocator caching|bfc] [--config FILE] TRACE";

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    Arguments given =
        Arguments.of(
            arguments, Set.of(TraceOptions.ALLOCATOR, TraceOptions.CONFIG), Set.of(), USAGE);
    TraceKind kind = TraceOptions.kind(given);
    ReplayConfig config = TraceOptions.config(given);
    kind.warnings(config).forEach(System.err::println);
    kind.replay().replay(config, Path.of(given.operand()), out);
    return DONE;
  }
}
