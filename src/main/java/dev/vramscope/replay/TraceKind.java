package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.device.sim.SimSubAllocator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The allocator that a trace was made for. */
public enum TraceKind {
  CACHING,
  BFC;

  public TraceReplay replay() {
    return switch (this) {
      case CACHING -> new CachingTraceReplay();
      case BFC -> new BfcReplay();
    };
  }

  /** An allocator on a simulated device, for benchmarks. */
  public Allocator allocator(ReplayConfig config) {
    return switch (this) {
      case CACHING ->
          new CachingAllocator(
              CachingTraceReplay.device(config), CachingTraceReplay.options(config));
      case BFC ->
          BfcAllocator.forReplay(
              BfcReplay.options(config), new SimSubAllocator(BfcReplay.deviceSettings(config)));
    };
  }

  /** A warning for each key of the configuration that has no effect. */
  public List<String> warnings(ReplayConfig config) {
    Set<String> keys = this == CACHING ? CachingTraceReplay.KEYS : BfcReplay.KEYS;
    return config.without(keys).keySet().stream()
        .map(key -> config.source() + ": " + key + " is unknown and has no effect.")
        .toList();
  }

  /** The kind with this name on the command line. */
  public static Optional<TraceKind> named(String name) {
    return switch (name) {
      case "caching" -> Optional.of(CACHING);
      case "bfc" -> Optional.of(BFC);
      default -> Optional.empty();
    };
  }

  /** The kind that the configuration belongs to. */
  static TraceKind of(ReplayConfig config) {
    return config.has(BfcReplay.LIMIT) ? BFC : CACHING;
  }
}
