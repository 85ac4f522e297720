package dev.vramscope.replay;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.VirtualMemory;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** The CUDA device over the emulated driver; its streams only progress on request. */
final class CudaTraceDevice implements TraceDevice {
  /** Traces use streams without creating them. */
  private static final int STREAMS = 32;

  private final CudaEmulator emulator;
  private final CudaDevice cuda;
  private final Device device;

  /** The driver counts all calls, a trace only the successful ones. */
  private long failedBlocks;

  private long failedPages;

  CudaTraceDevice(ReplayConfig config) {
    emulator =
        CudaEmulator.ofBytes(
                CachingTraceReplay.deviceBytes(config), CachingTraceReplay.granularityBytes(config))
            .manual()
            .external(CachingTraceReplay.externalBytes(config));
    cuda = emulator.open();
    for (int i = 1; i < STREAMS; i++) {
      cuda.streams().create();
    }
    DeviceMemory memory =
        counting(DeviceMemory.class, cuda.memory(), "allocate", () -> failedBlocks++);
    VirtualMemory virtual =
        counting(VirtualMemory.class, cuda.virtualMemory(), "createPage", () -> failedPages++);
    // Golden cases specify the memory of processes exactly; the driver's own figure would grow.
    List<ProcessMemory> processes = CachingTraceReplay.processes(config);
    device =
        (Device)
            Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "memory" -> memory;
                      case "virtualMemory" -> virtual;
                      case "processes" -> processes;
                      default -> method.invoke(cuda, arguments);
                    });
  }

  /** A proxy that runs an action when a method returns 0. */
  private static <T> T counting(Class<T> type, T target, String name, Runnable onFailure) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(target, arguments);
                if (method.getName().equals(name) && (long) result == 0) {
                  onFailure.run();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void advance(int stream, long events) {
    emulator.advance(cuda, stream, events);
  }

  @Override
  public void setExternalBytes(long bytes) {
    emulator.external(bytes);
  }

  @Override
  public long usedBytes() {
    return emulator.usedBytes();
  }

  @Override
  public DeviceCalls calls() {
    return new DeviceCalls(
        emulator.calls("cuMemAlloc") - failedBlocks,
        emulator.calls("cuMemFree"),
        emulator.calls("cuMemCreate") - failedPages,
        emulator.calls("cuMemRelease"),
        emulator.calls("cuMemMap"),
        emulator.calls("cuMemUnmap"),
        emulator.calls("cuMemAddressReserve"),
        emulator.calls("cuMemAddressFree"),
        emulator.calls("cuEventRecord"),
        emulator.calls("cuEventQuery"),
        emulator.calls("cuEventSynchronize"));
  }
}
