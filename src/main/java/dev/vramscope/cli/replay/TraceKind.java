package dev.vramscope.cli.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.cli.Arguments;
import dev.vramscope.cli.UsageException;
import dev.vramscope.device.sim.SimSubAllocator;
import java.util.List;
import java.util.Set;

/** Which allocator a trace was made for. */
enum TraceKind {
  CACHING,
  BFC;

  static final String OPTION = "--allocator";

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
          new CachingAllocator(CachingReplay.device(config), CachingReplay.options(config));
      case BFC ->
          BfcAllocator.forReplay(
              BfcReplay.options(config), new SimSubAllocator(BfcReplay.deviceSettings(config)));
    };
  }

  /** What the configuration says that nobody reads, a sentence for each. */
  List<String> warnings(ReplayConfig config) {
    Set<String> known = this == CACHING ? CachingReplay.KEYS : BfcReplay.KEYS;
    return config.without(known).keySet().stream()
        .map(key -> config.source() + ": " + key + " is not known here and was ignored.")
        .toList();
  }

  /** The kind that the option names; the caching allocator if there is no such option. */
  static TraceKind of(Arguments given) {
    String word = given.value(OPTION);
    return word == null ? CACHING : of(word);
  }

  private static TraceKind of(String word) {
    return switch (word) {
      case "caching" -> CACHING;
      case "bfc" -> BFC;
      default ->
          throw new UsageException("There is no allocator '" + word + "'; name caching or bfc.");
    };
  }

  /** The kind whose settings these are. */
  static TraceKind of(ReplayConfig config) {
    return config.has(BfcReplay.LIMIT) ? BFC : CACHING;
  }
}
