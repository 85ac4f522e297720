package dev.vramscope.device.cuda;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A GPU, used through the driver. A GPU can be opened more than once; each instance has its own
 * streams.
 */
public final class CudaDevice implements Device, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  private final CudaDeviceInfo info;
  private final boolean emulated;
  private final CudaContext context;
  private final CudaMemory memory;
  private final CudaVirtualMemory virtualMemory;
  private final CudaStreams streams;
  private final CudaHostMemory hostMemory;
  private final ProcessList processes;
  private @Nullable DeviceWork work;

  private CudaDevice(CudaDeviceInfo info, CudaContext context, DriverLibrary library) {
    this.info = info;
    this.emulated = library.isEmulated();
    DirectCalls calls = library.calls();
    this.context = context;
    memory = new CudaMemory(context);
    virtualMemory = new CudaVirtualMemory(context, calls, info.ordinal());
    streams = new CudaStreams(context);
    hostMemory = new CudaHostMemory(context, calls);
    processes = library.processes();
  }

  static CudaDevice open(DriverLibrary library, CudaDeviceInfo info) {
    CudaContext context = CudaContext.retain(info.ordinal());
    try {
      return new CudaDevice(info, context, library);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** Why the device is lost, or null if it is not. */
  public @Nullable String lossReason() {
    return context.lossReason();
  }

  @Override
  public int ordinal() {
    return info.ordinal();
  }

  @Override
  public String name() {
    return info.name();
  }

  /** True with the emulated driver. */
  @Override
  public boolean isSimulated() {
    return emulated;
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  @Override
  public VirtualMemory virtualMemory() {
    return virtualMemory;
  }

  @Override
  public Streams streams() {
    return streams;
  }

  @Override
  public HostMemory hostMemory() {
    return hostMemory;
  }

  /** Uses our own kernels, or only driver calls where the driver does not accept those. */
  @Override
  public synchronized DeviceWork work() {
    if (work == null) {
      work = createWork();
    }
    return work;
  }

  private DeviceWork createWork() {
    try {
      return new KernelWork(new KernelModule(context), context, streams, hostMemory);
    } catch (DeviceLostException e) {
      throw e;
    } catch (DeviceException e) {
      LOG.warn(
          "cuda:{} fills and checks memory with driver calls instead of kernels: checks compare"
              + " only both ends of a block, and spins take no time. {}",
          ordinal(),
          e.getMessage());
      return new MemsetWork(context, streams, hostMemory);
    }
  }

  @Override
  public List<ProcessMemory> processes() {
    return processes.of(info);
  }

  /** Frees everything that is allocated. On a lost device there is nothing to free. */
  @Override
  public synchronized void close() {
    if (context.isClosed()) {
      return;
    }
    if (context.lossReason() == null) {
      context.attempt(streams::synchronizeAll);
      virtualMemory.releaseAll();
      memory.freeAll();
      hostMemory.freeAll();
      streams.destroyAll();
    }
    context.close();
  }
}
