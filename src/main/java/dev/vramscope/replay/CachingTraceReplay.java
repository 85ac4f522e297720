package dev.vramscope.replay;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.sim.AddressPolicy;
import dev.vramscope.device.sim.SimDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Replays a trace of PyTorch's caching allocator. The configuration is its environment. */
final class CachingTraceReplay implements TraceReplay {
  static final Set<String> KEYS =
      Set.of(
          "FAKE_GPU_BYTES",
          "FAKE_GPU_GRANULARITY",
          "FAKE_GPU_EXTERNAL",
          "FAKE_NVML_PROCS",
          "FAKE_VA_POLICY",
          "PYTORCH_CUDA_ALLOC_CONF",
          "PYTORCH_HIP_ALLOC_CONF",
          "PYTORCH_ALLOC_CONF",
          "PYTORCH_NO_CUDA_MEMORY_CACHING");

  private static final long DEFAULT_DEVICE_BYTES = 16L << 30;
  private static final long DEFAULT_GRANULARITY_BYTES = 2L << 20;

  private final Function<ReplayConfig, TraceDevice> devices;

  /** Replays on a simulated device. */
  CachingTraceReplay() {
    this(config -> new SimTraceDevice(device(config)));
  }

  /** Replays on the device that the caller creates for the configuration. */
  CachingTraceReplay(Function<ReplayConfig, TraceDevice> devices) {
    this.devices = devices;
  }

  @Override
  public void replay(ReplayConfig config, InputStream trace, OutputStream records)
      throws IOException {
    TraceDevice device = devices.apply(config);
    RecordWriter writer = new RecordWriter(records);
    // Traces and records contain no times.
    CachingOptions options = options(config).withClock(() -> 0);
    try {
      CachingAllocator allocator = new CachingAllocator(device.device(), options);
      CachingOperations operations =
          new CachingOperations(device, allocator, new CachingRecords(writer, allocator, device));
      if (isUncached(config)) {
        operations.allocateFrom(new DirectAllocator(device.device()));
      }
      run(new TraceLines(trace), operations);
    } catch (ConfigurationException e) {
      writer
          .beginRecord(0, "init")
          .field("error", e.kind().torchName())
          .field("message", e.getMessage())
          .endRecord();
    } finally {
      writer.flush();
    }
  }

  private static void run(TraceLines lines, CachingOperations operations) throws IOException {
    while (lines.next()) {
      try {
        operations.run(lines);
      } catch (TraceLineException e) {
        throw e.with(Grammar.CACHING, lines.token(0));
      }
    }
  }

  static SimDevice device(ReplayConfig config) {
    SimDevice device = emptyDevice(config);
    device.setExternalBytes(externalBytes(config));
    device.setProcesses(processes(config));
    return device;
  }

  private static SimDevice emptyDevice(ReplayConfig config) {
    AddressPolicy policy =
        config.get(
            "FAKE_VA_POLICY",
            AddressPolicy.FIRST_FIT,
            "firstfit or bump",
            CachingTraceReplay::addressPolicy);
    try {
      return new SimDevice(deviceBytes(config), granularityBytes(config), policy);
    } catch (IllegalArgumentException e) {
      throw config.invalid(e);
    }
  }

  private static AddressPolicy addressPolicy(String name) {
    return switch (name) {
      case "firstfit" -> AddressPolicy.FIRST_FIT;
      case "bump" -> AddressPolicy.BUMP;
      default -> throw new IllegalArgumentException("There is no address policy " + name + ".");
    };
  }

  /**
   * PYTORCH_CUDA_ALLOC_CONF takes precedence. Without it, PYTORCH_HIP_ALLOC_CONF sets the keys that
   * all accelerators share, and PYTORCH_ALLOC_CONF the rest.
   */
  static CachingOptions options(ReplayConfig config) {
    String common = config.get("PYTORCH_ALLOC_CONF", "");
    String cuda = config.get("PYTORCH_CUDA_ALLOC_CONF", common);
    return config.has("PYTORCH_CUDA_ALLOC_CONF")
        ? CachingOptions.of(cuda)
        : CachingOptions.of(config.get("PYTORCH_HIP_ALLOC_CONF", common)).withDeviceSettings(cuda);
  }

  static boolean isUncached(ReplayConfig config) {
    return config.get("PYTORCH_NO_CUDA_MEMORY_CACHING", "").equals("1");
  }

  static long deviceBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_BYTES", DEFAULT_DEVICE_BYTES);
  }

  static long granularityBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_GRANULARITY", DEFAULT_GRANULARITY_BYTES);
  }

  static long externalBytes(ReplayConfig config) {
    return config.getLong("FAKE_GPU_EXTERNAL", 0);
  }

  static List<ProcessMemory> processes(ReplayConfig config) {
    return config.get(
        "FAKE_NVML_PROCS", List.of(), "self:BYTES,PID:BYTES", CachingTraceReplay::processes);
  }

  /** {@code self:BYTES,PID:BYTES}. */
  private static List<ProcessMemory> processes(String text) {
    List<ProcessMemory> processes = new ArrayList<>();
    for (String process : text.isEmpty() ? new String[0] : text.split(",")) {
      int colon = process.indexOf(':');
      String pid = process.substring(0, Math.max(colon, 0));
      processes.add(
          new ProcessMemory(
              pid.equals("self") ? ProcessMemory.SELF : Long.parseLong(pid),
              Long.parseLong(process.substring(colon + 1))));
    }
    return processes;
  }
}
