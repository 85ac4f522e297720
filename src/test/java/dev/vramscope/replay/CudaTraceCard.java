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

/** The CUDA device over the emulated driver under a trace; its streams wait to be told. */
final class CudaTraceCard implements TraceCard {
  /** Traces use streams without making them. */
  private static final int STREAMS = 32;

  private final CudaEmulator emulator;
  private final CudaDevice cuda;
  private final Device device;

  /** The driver counts its calls, a trace those that gave something. */
  private long refusedBlocks;

  private long refusedPages;

  CudaTraceCard(ReplayConfig config) {
    emulator =
        CudaEmulator.ofBytes(
                CachingReplay.cardBytes(config), CachingReplay.granularityBytes(config))
            .manual()
            .external(CachingReplay.externalBytes(config));
    cuda = emulator.open();
    for (int i = 1; i < STREAMS; i++) {
      cuda.streams().create();
    }
    DeviceMemory memory =
        watched(DeviceMemory.class, cuda.memory(), "allocate", () -> refusedBlocks++);
    VirtualMemory virtual =
        watched(VirtualMemory.class, cuda.virtualMemory(), "createPage", () -> refusedPages++);
    // What the golden files' processes hold was said to the byte; the driver's would grow.
    List<ProcessMemory> processes = CachingReplay.processes(config);
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

  /** Tells when a method answers 0. */
  private static <T> T watched(Class<T> type, T target, String name, Runnable refused) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(target, arguments);
                if (method.getName().equals(name) && (long) answer == 0) {
                  refused.run();
                }
                return answer;
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
        emulator.calls("cuMemAlloc") - refusedBlocks,
        emulator.calls("cuMemFree"),
        emulator.calls("cuMemCreate") - refusedPages,
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
