package dev.vramscope.cli.replay;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.ConfigurationException;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.sim.SimDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Replays a trace of PyTorch's caching allocator. The configuration is its environment. */
final class CachingReplay implements TraceReplay {
  private static final long DEFAULT_CARD_BYTES = 16L << 30;
  private static final long DEFAULT_GRANULARITY_BYTES = 2L << 20;

  private final Function<ReplayConfig, TraceCard> cards;

  /** On a simulated card. */
  CachingReplay() {
    this(config -> new SimTraceCard(device(config)));
  }

  /** On the card that the configuration describes, made by the caller. */
  CachingReplay(Function<ReplayConfig, TraceCard> cards) {
    this.cards = cards;
  }

  @Override
  public void replay(ReplayConfig config, InputStream trace, OutputStream records)
      throws IOException {
    TraceCard card = cards.apply(config);
    RecordWriter writer = new RecordWriter(records);
    // Time stands still: a trace has none, and records show none.
    CachingOptions options = CachingOptions.of(settings(config)).withClock(() -> 0);
    try {
      CachingAllocator allocator = new CachingAllocator(card.device(), options);
      CachingOperations operations =
          new CachingOperations(card, allocator, new CachingRecords(writer, allocator, card));
      if (isUncached(config)) {
        operations.allocateFrom(new DirectAllocator(card.device()));
      }
      TraceLines lines = new TraceLines(trace);
      while (lines.next()) {
        operations.run(lines);
      }
    } catch (ConfigurationException e) {
      writer
          .beginRecord(0, "init")
          .field("error", e.kind().torchName())
          .field("message", e.getMessage())
          .endRecord();
    }
    writer.flush();
  }

  static SimDevice device(ReplayConfig config) {
    SimDevice device = new SimDevice(cardBytes(config), granularityBytes(config));
    device.setExternalBytes(externalBytes(config));
    device.setProcesses(processes(config));
    return device;
  }

  /** The older name wins. */
  static String settings(ReplayConfig config) {
    return config.get("PYTORCH_CUDA_ALLOC_CONF", config.get("PYTORCH_ALLOC_CONF", ""));
  }

  static boolean isUncached(ReplayConfig config) {
    return config.get("PYTORCH_NO_CUDA_MEMORY_CACHING", "").equals("1");
  }

  static long cardBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_BYTES", DEFAULT_CARD_BYTES);
  }

  static long granularityBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_GRANULARITY", DEFAULT_GRANULARITY_BYTES);
  }

  static long externalBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_EXTERNAL", 0);
  }

  /** {@code self:BYTES,PID:BYTES}. */
  static List<ProcessMemory> processes(ReplayConfig config) {
    String text = config.get("FAKE_NVML_PROCS", "");
    List<ProcessMemory> processes = new ArrayList<>();
    for (String process : text.split(",")) {
      int colon = process.indexOf(':');
      if (colon > 0) {
        String who = process.substring(0, colon);
        processes.add(
            new ProcessMemory(
                who.equals("self") ? ProcessMemory.SELF : Long.parseLong(who),
                Long.parseLong(process.substring(colon + 1))));
      }
    }
    return processes;
  }
}
