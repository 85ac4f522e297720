package dev.vramscope.cli.replay;

import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.bfc.FailureLogLimit;
import dev.vramscope.allocator.bfc.RetryClock;
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

/** Replays a trace of XLA's BFC allocator. A key that is not set has the original's default. */
final class BfcReplay implements TraceReplay {
  /** Only BFC's settings have this key. */
  static final String LIMIT = "memory_limit";

  private static final long DEFAULT_LIMIT_BYTES = 16L << 30;
  private static final long DEFAULT_BASE = 1L << 40;
  private static final long ENDLESS = 1L << 62;

  private final @Nullable DeviceMemory memory;

  /** With simulated memory, placed as the configuration says. */
  BfcReplay() {
    this.memory = null;
  }

  /** With memory of a device. */
  BfcReplay(DeviceMemory memory) {
    this.memory = memory;
  }

  @Override
  public void replay(ReplayConfig config, InputStream trace, OutputStream records)
      throws IOException {
    SubAllocatorSettings settings = deviceSettings(config);
    SimSubAllocator device = new SimSubAllocator(settings, memory);
    RecordWriter writer = new RecordWriter(records);
    BfcLog log = BfcLog.of(config.get("log", "full"));
    BfcAllocator allocator =
        new BfcAllocator(options(config), device, log, new FailureLogLimit(), RetryClock.virtual());
    BfcOperations operations =
        new BfcOperations(
            allocator, device, new BfcRecords(writer, log, allocator, device, settings.base()));
    TraceLines lines = new TraceLines(trace);
    while (lines.next()) {
      if (lines.cutComment()) {
        operations.run(lines);
      }
    }
    writer.flush();
  }

  static BfcOptions options(ReplayConfig config) {
    return new BfcOptions(
        config.get("name", "GPU_0_bfc"),
        size(config, LIMIT, DEFAULT_LIMIT_BYTES),
        flag(config, "allow_growth", true),
        flag(config, "garbage_collection", false),
        flag(config, "allow_retry_on_failure", true),
        Double.parseDouble(config.get("fragmentation_fraction", "0")),
        flag(config, "enable_spatial_partitioning", false));
  }

  static SubAllocatorSettings deviceSettings(ReplayConfig config) {
    return new SubAllocatorSettings(
        size(config, "device.base", DEFAULT_BASE),
        size(config, "device.capacity", ENDLESS),
        size(config, "device.granularity", 1),
        size(config, "device.align", 256),
        size(config, "device.gap", 0),
        size(config, "device.max_block", 0),
        flag(config, "device.coalesce", false),
        flag(config, "device.honor_alignment", false),
        placement(config.get("device.placement", "bump")),
        failingCalls(config.get("device.fail_calls", "")));
  }

  private static long size(ReplayConfig config, String key, long otherwise) {
    String text = config.get(key);
    return text == null ? otherwise : Sizes.parse(text.strip());
  }

  private static boolean flag(ReplayConfig config, String key, boolean otherwise) {
    String text = config.get(key);
    return text == null ? otherwise : text.strip().equals("1");
  }

  private static Placement placement(String word) {
    return switch (word.strip()) {
      case "bump" -> Placement.BUMP;
      case "firstfit" -> Placement.FIRST_FIT;
      case "down" -> Placement.DOWN;
      default ->
          throw new IllegalArgumentException(
              "device.placement is bump, firstfit or down, got '" + word + "'.");
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
