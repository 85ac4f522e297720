package dev.vramscope.replay;

import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays a trace of XLA's BFC allocator. Missing keys have the original's defaults. */
final class BfcReplay implements TraceReplay {
  /** A key that only BFC configurations have. */
  static final String LIMIT = "memory_limit";

  static final Set<String> KEYS =
      Set.of(
          LIMIT,
          "name",
          "allow_growth",
          "garbage_collection",
          "allow_retry_on_failure",
          "fragmentation_fraction",
          "enable_spatial_partitioning",
          "log",
          "device.base",
          "device.capacity",
          "device.granularity",
          "device.align",
          "device.gap",
          "device.max_block",
          "device.coalesce",
          "device.honor_alignment",
          "device.placement",
          "device.fail_calls");

  private static final long DEFAULT_LIMIT_BYTES = 16L << 30;
  private static final long DEFAULT_BASE = 1L << 40;
  private static final long UNLIMITED = 1L << 62;

  private final @Nullable DeviceMemory memory;

  /** Replays on simulated memory, placed as the configuration says. */
  BfcReplay() {
    this.memory = null;
  }

  /** Replays on the memory of a device. */
  BfcReplay(DeviceMemory memory) {
    this.memory = memory;
  }

  @Override
  public void replay(ReplayConfig config, InputStream trace, OutputStream records)
      throws IOException {
    BfcOptions options;
    SubAllocatorSettings settings;
    try {
      options = options(config);
      settings = deviceSettings(config);
    } catch (IllegalArgumentException e) {
      throw config.invalid(e);
    }
    SimSubAllocator device = new SimSubAllocator(settings, memory);
    RecordWriter writer = new RecordWriter(records);
    BfcLog log = BfcLog.of(config.get("log", "full", "full or hash", BfcReplay::logKind));
    BfcAllocator allocator =
        new BfcAllocator(options, device, log, new FailureLogLimit(), RetryClock.virtual());
    BfcOperations operations =
        new BfcOperations(
            allocator, device, new BfcRecords(writer, log, allocator, device, settings.base()));
    try {
      run(new TraceLines(trace), operations);
    } finally {
      writer.flush();
    }
  }

  private static void run(TraceLines lines, BfcOperations operations) throws IOException {
    while (lines.next()) {
      try {
        if (lines.cutComment()) {
          operations.run(lines);
        }
      } catch (TraceLineException e) {
        throw e.with(Grammar.BFC, lines.token(0));
      } catch (IllegalArgumentException e) {
        throw new TraceLineException(lines.line(), String.valueOf(e.getMessage()))
            .with(Grammar.BFC, lines.token(0));
      }
    }
  }

  private static String logKind(String kind) {
    if (!kind.equals("full") && !kind.equals("hash")) {
      throw new IllegalArgumentException("Unknown log kind " + kind + "; use full or hash.");
    }
    return kind;
  }

  static BfcOptions options(ReplayConfig config) {
    return BfcOptions.of(config.get("name", "GPU_0_bfc"), size(config, LIMIT, DEFAULT_LIMIT_BYTES))
        .withGrowing(flag(config, "allow_growth", /* fallback= */ true))
        .withReleasesFreeRegions(flag(config, "garbage_collection", /* fallback= */ false))
        .withRetries(flag(config, "allow_retry_on_failure", /* fallback= */ true))
        .withFragmentationFraction(
            config.get("fragmentation_fraction", 0.0, "a number from 0 to 1", Double::parseDouble))
        .withPartitioned(flag(config, "enable_spatial_partitioning", /* fallback= */ false));
  }

  static SubAllocatorSettings deviceSettings(ReplayConfig config) {
    return new SubAllocatorSettings(
        size(config, "device.base", DEFAULT_BASE),
        size(config, "device.capacity", UNLIMITED),
        size(config, "device.granularity", 1),
        size(config, "device.align", 256),
        size(config, "device.gap", 0),
        size(config, "device.max_block", 0),
        flag(config, "device.coalesce", /* fallback= */ false),
        flag(config, "device.honor_alignment", /* fallback= */ false),
        config.get(
            "device.placement", Placement.BUMP, "bump, firstfit or down", BfcReplay::placement),
        config.get(
            "device.fail_calls", Set.of(), "call numbers like 1,3", BfcReplay::failingCalls));
  }

  private static long size(ReplayConfig config, String key, long fallback) {
    return config.get(key, fallback, "a number, optionally with K, M, G or T", Sizes::parse);
  }

  private static boolean flag(ReplayConfig config, String key, boolean fallback) {
    return config.get(key, fallback, "0 or 1", BfcReplay::flag);
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "0" -> false;
      case "1" -> true;
      default -> throw new IllegalArgumentException("A flag is 0 or 1, got " + text + ".");
    };
  }

  private static Placement placement(String name) {
    return switch (name) {
      case "bump" -> Placement.BUMP;
      case "firstfit" -> Placement.FIRST_FIT;
      case "down" -> Placement.DOWN;
      default ->
          throw new IllegalArgumentException(
              "Unknown placement " + name + "; use bump, firstfit or down.");
    };
  }

  private static Set<Long> failingCalls(String list) {
    Set<Long> calls = new HashSet<>();
    for (String call : list.split(",")) {
      if (!call.isBlank()) {
        calls.add(Sizes.parse(call.strip()));
      }
    }
    return calls;
  }
}
