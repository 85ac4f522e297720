package dev.vramscope.cli.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.cli.UsageException;

/** Which allocator a trace was made for. */
enum AllocatorKind {
  CACHING;

  TraceReplay replay() {
    return switch (this) {
      case CACHING -> new CachingReplay();
    };
  }

  /** An allocator on a simulated card, for measuring. */
  Allocator allocator(ReplayConfig config) {
    return switch (this) {
      case CACHING ->
          new CachingAllocator(
              CachingReplay.device(config), CachingOptions.of(CachingReplay.settings(config)));
    };
  }

  static AllocatorKind of(String word) {
    return switch (word) {
      case "caching" -> CACHING;
      default -> throw new UsageException("There is no allocator '" + word + "'.");
    };
  }

  /** The kind whose settings these are. */
  static AllocatorKind of(ReplayConfig config) {
    return CACHING;
  }
}
