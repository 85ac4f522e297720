package dev.vramscope.device.cuda;

import java.util.List;

/** Whether the CUDA driver can be used, and why not. */
public sealed interface DriverStatus {
  /**
   * The driver works.
   *
   * @param version the CUDA version that the driver reports
   * @param emulated whether it is the emulated driver of {@code native/}, which has no GPU
   */
  record Ready(CudaVersion version, List<CudaDeviceInfo> devices, boolean emulated)
      implements DriverStatus {
    public Ready {
      devices = List.copyOf(devices);
    }
  }

  /**
   * There is no driver, or no device.
   *
   * @param reason a sentence
   * @param advice a sentence that says how to fix it
   */
  record Missing(String reason, String advice) implements DriverStatus {}

  /** There is a driver, but its version is too old. */
  record TooOld(CudaVersion version, CudaVersion needed) implements DriverStatus {}

  /**
   * There is a driver, but it does not work.
   *
   * @param call the call that failed
   * @param error its error
   */
  record Failed(String call, String error) implements DriverStatus {}

  /** A description in one or two sentences. */
  default String text() {
    return switch (this) {
      case Ready(var version, var devices, var emulated) ->
          "%s %s with %s."
              .formatted(
                  emulated ? "The emulated CUDA driver" : "CUDA driver",
                  version,
                  String.join(", ", devices.stream().map(CudaDeviceInfo::text).toList()));
      case Missing(var reason, var advice) -> reason + " " + advice;
      case TooOld(var version, var needed) ->
          "The CUDA driver is for CUDA %s; %s or newer is needed. Update the NVIDIA driver."
              .formatted(version, needed);
      case Failed(var call, var error) ->
          "The CUDA driver does not work: %s returned %s".formatted(call, error);
    };
  }
}
