package dev.vramscope.cli.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.cli.UsageException;
import dev.vramscope.device.sim.SimSubAllocator;

/** Which allocator a trace was made for. */
enum TraceKind {
  CACHING,
  BFC;

  TraceReplay replay() {
    return switch (this) {
      case CACHING -> new CachingReplay();
      case BFC -> new BfcReplay();
    };
  }

  /** An allocator on a simulated card, for measuring. */
  Allocator allocator(ReplayConfig config) {
    return switch (this) {
      case CACHING ->
          new CachingAllocator(
              CachingReplay.device(config), CachingOptions.of(CachingReplay.settings(config)));
      case BFC ->
          BfcAllocator.forReplay(
              BfcReplay.options(config), new SimSubAllocator(BfcReplay.deviceSettings(config)));
    };
  }

  static TraceKind of(String word) {
    return switch (word) {
      case "caching" -> CACHING;
      case "bfc" -> BFC;
      default -> throw new UsageException("There is no allocator '" + word + "'.");
    };
  }

  /** The kind whose settings these are. */
  static TraceKind of(ReplayConfig config) {
    return config.has(BfcReplay.LIMIT) ? BFC : CACHING;
  }
}
