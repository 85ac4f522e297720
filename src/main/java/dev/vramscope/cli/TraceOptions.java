package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.replay.ReplayConfig;
import dev.vramscope.replay.TraceKind;
import java.io.IOException;
import java.nio.file.Path;

/** The options of the commands that read a trace. */
final class TraceOptions {
  static final String ALLOCATOR = "--allocator";
  static final String CONFIG = "--config";

  static final Option ALLOCATOR_OPTION =
      Option.valued(
          ALLOCATOR,
          "caching|bfc",
          "The allocator: PyTorch's (caching), the default, or XLA's (bfc)");
  static final Option CONFIG_OPTION =
      Option.valued(
          CONFIG,
          "FILE",
          "The settings of the allocator and of the simulated device; by default those of the"
              + " original");

  private TraceOptions() {}

  /** The kind of allocator that the option names; the caching allocator by default. */
  static TraceKind kind(Arguments arguments) {
    String name = arguments.value(ALLOCATOR);
    if (name == null) {
      return TraceKind.CACHING;
    }
    return TraceKind.named(name)
        .orElseThrow(
            () -> new UsageException("There is no allocator '" + name + "'; use caching or bfc."));
  }

  /** The configuration file that the option names; empty by default. */
  static ReplayConfig config(Arguments arguments) throws IOException {
    String file = arguments.value(CONFIG);
    return file == null ? ReplayConfig.EMPTY : ReplayConfig.read(Path.of(file));
  }
}
