package dev.vramscope.web.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.device.cuda.CudaDeviceInfo;
import dev.vramscope.device.cuda.DriverStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices on which an allocator can be hosted.
 *
 * @param driver the state of the CUDA driver
 * @param gpus the GPUs that the driver reports
 * @param simulated simulated devices, which need no driver
 */
public record DevicesView(Driver driver, List<Gpu> gpus, Simulated simulated) {
  /**
   * The driver.
   *
   * @param state {@code ready}, {@code missing}, {@code too-old} or {@code failed}
   * @param text one or two sentences with the reason and what to do
   * @param version of CUDA, or null when it is not ready
   * @param emulated whether the driver emulates its GPU
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Driver(String state, String text, @Nullable String version, boolean emulated) {}

  /** A GPU; {@code device} names it in requests. */
  record Gpu(String device, String name, long bytes, String computeCapability) {}

  /** The default simulated device, and the limit on its size. */
  record Simulated(String device, long maxBytes) {}

  private static final String DEFAULT_SIMULATED = "sim:16GiB";

  public static DevicesView of(DriverStatus status, long maxSimulatedBytes) {
    Simulated simulated = new Simulated(DEFAULT_SIMULATED, maxSimulatedBytes);
    String text = status.text();
    return switch (status) {
      case DriverStatus.Ready(var version, var devices, var emulated) ->
          new DevicesView(
              new Driver("ready", text, version.toString(), emulated),
              devices.stream().map(DevicesView::gpu).toList(),
              simulated);
      case DriverStatus.Missing _ -> without("missing", text, simulated);
      case DriverStatus.TooOld _ -> without("too-old", text, simulated);
      case DriverStatus.Failed _ -> without("failed", text, simulated);
    };
  }

  private static DevicesView without(String state, String text, Simulated simulated) {
    return new DevicesView(
        new Driver(state, text, null, /* emulated= */ false), List.of(), simulated);
  }

  private static Gpu gpu(CudaDeviceInfo device) {
    return new Gpu(
        "cuda:" + device.ordinal(), device.name(), device.bytes(), device.capability().toString());
  }
}
