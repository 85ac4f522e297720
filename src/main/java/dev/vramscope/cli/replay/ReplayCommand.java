package dev.vramscope.cli.replay;

import dev.vramscope.cli.Arguments;
import dev.vramscope.cli.Command;
import java.io.IOException;
import java.io.InputStream;
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
        Arguments.of(arguments, Set.of(TraceKind.OPTION, ReplayConfig.OPTION), Set.of(), USAGE);
    TraceKind kind = TraceKind.of(given);
    ReplayConfig config = ReplayConfig.of(given);
    kind.warnings(config).forEach(System.err::println);
    Path trace = Path.of(given.subject());
    try (InputStream in = TraceInput.open(trace)) {
      kind.replay().replay(config, in, out);
    } catch (TraceLineException e) {
      throw e.in(trace);
    }
    return DONE;
  }
}
