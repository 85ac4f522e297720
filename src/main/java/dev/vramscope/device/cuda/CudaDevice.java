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

/** A card, by the driver. Several of these can stand on one card; each has streams of its own. */
public final class CudaDevice implements Device, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  private final CudaCard card;
  private final boolean emulated;
  private final CudaContext context;
  private final CudaMemory memory;
  private final CudaVirtualMemory virtualMemory;
  private final CudaStreams streams;
  private final CudaHostMemory hostMemory;
  private final ProcessList processes;
  private @Nullable DeviceWork work;

  private CudaDevice(CudaCard card, CudaContext context, DriverLibrary library) {
    this.card = card;
    this.emulated = library.isEmulated();
    DirectCalls calls = library.calls();
    this.context = context;
    memory = new CudaMemory(context);
    virtualMemory = new CudaVirtualMemory(context, calls, card.ordinal());
    streams = new CudaStreams(context);
    hostMemory = new CudaHostMemory(context, calls);
    processes = library.processes();
  }

  static CudaDevice open(DriverLibrary library, CudaCard card) {
    CudaContext context = CudaContext.retain(card.ordinal());
    try {
      return new CudaDevice(card, context, library);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  public CudaCard card() {
    return card;
  }

  /** Why the card answers no call any more, or null while it does. */
  public @Nullable String loss() {
    return context.loss();
  }

  @Override
  public int ordinal() {
    return card.ordinal();
  }

  @Override
  public String name() {
    return card.name();
  }

  /** True over the emulated driver. */
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

  /** By our own device code, or by the driver alone where it does not take that; see the log. */
  @Override
  public synchronized DeviceWork work() {
    if (work == null) {
      work = makeWork();
    }
    return work;
  }

  private DeviceWork makeWork() {
    try {
      return new KernelWork(new KernelModule(context), streams, hostMemory);
    } catch (DeviceLostException e) {
      throw e;
    } catch (DeviceException e) {
      LOG.warn(
          "cuda:{} fills and checks memory by driver calls, not by kernels: checks look at both"
              + " ends of a block only, and spins take no time. {}",
          ordinal(),
          e.getMessage());
      return new MemsetWork(context, streams, hostMemory);
    }
  }

  @Override
  public List<ProcessMemory> processes() {
    return processes.of(card);
  }

  /** Gives everything that is out back to the driver. A lost card has nothing to give back. */
  @Override
  public synchronized void close() {
    if (context.isClosed()) {
      return;
    }
    if (context.loss() == null) {
      context.attempt(streams::synchronizeAll);
      virtualMemory.giveBackAll();
      memory.freeAll();
      hostMemory.freeAll();
      streams.destroyAll();
    }
    context.close();
  }
}
