package dev.vramscope.cli.replay;

import dev.vramscope.cli.Command;
import dev.vramscope.cli.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Replays one trace and prints its records. */
public final class ReplayCommand implements Command {
  private static final String USAGE =
      "Usage: replay [--allocator caching|bfc] [--config FILE] TRACE";

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    TraceKind kind = TraceKind.CACHING;
    ReplayConfig config = ReplayConfig.EMPTY;
    Path trace = null;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--allocator" -> kind = TraceKind.of(valueAfter(arguments, i++));
        case "--config" -> config = ReplayConfig.read(Path.of(valueAfter(arguments, i++)));
        default -> trace = Path.of(arguments.get(i));
      }
    }
    if (trace == null) {
      throw new UsageException(USAGE);
    }
    try (InputStream in = TraceInput.open(trace)) {
      kind.replay().replay(config, in, out);
    }
    return DONE;
  }

  private static String valueAfter(List<String> arguments, int index) {
    if (index + 1 == arguments.size()) {
      throw new UsageException(USAGE);
    }
    return arguments.get(index + 1);
  }
}
