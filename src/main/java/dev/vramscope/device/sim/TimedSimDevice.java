package dev.vramscope.device.sim;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import java.util.List;

/**
 * A simulated device whose streams take real time, for allocators hosted in a running service. As
 * with a real driver, freeing memory waits for all streams, unmapping for none.
 */
public final class TimedSimDevice implements Device {
  private final SimDevice device;
  private final TimedStreams streams;
  private final DeviceWork work;
  private final DeviceMemory memory;
  private final VirtualMemory virtualMemory;

  TimedSimDevice(SimDevice device, TimedStreams streams) {
    this.device = device;
    this.streams = streams;
    work = new SimWork(streams, device.filledRanges());
    memory = new WaitingMemory(device.memory(), streams);
    virtualMemory = new UpdatingVirtualMemory(device.virtualMemory(), streams);
  }

  /** The underlying device, whose processes and failures can be set. */
  public SimDevice underlying() {
    return device;
  }

  @Override
  public int ordinal() {
    return device.ordinal();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public boolean isSimulated() {
    return true;
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
    return device.hostMemory();
  }

  @Override
  public DeviceWork work() {
    return work;
  }

  @Override
  public List<ProcessMemory> processes() {
    return device.processes();
  }

  private record WaitingMemory(SimMemory memory, TimedStreams streams) implements DeviceMemory {
    @Override
    public long totalBytes() {
      return memory.totalBytes();
    }

    @Override
    public long freeBytes() {
      return memory.freeBytes();
    }

    @Override
    public long allocate(long bytes) {
      return memory.allocate(bytes);
    }

    @Override
    public void free(long address) {
      streams.synchronizeAll();
      memory.free(address);
    }
  }

  /** Before a range is unmapped, finished work on it takes effect. */
  private record UpdatingVirtualMemory(SimVirtualMemory memory, TimedStreams streams)
      implements VirtualMemory {
    @Override
    public long granularityBytes() {
      return memory.granularityBytes();
    }

    @Override
    public long reserve(long bytes) {
      return memory.reserve(bytes);
    }

    @Override
    public void freeReservation(long address, long bytes) {
      memory.freeReservation(address, bytes);
    }

    @Override
    public long createPage(long bytes) {
      return memory.createPage(bytes);
    }

    @Override
    public void map(long address, long bytes, long page) {
      memory.map(address, bytes, page);
    }

    @Override
    public void setAccess(long address, long bytes) {
      memory.setAccess(address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
      streams.runEffects();
      memory.unmap(address, bytes);
    }

    @Override
    public void releasePage(long page) {
      memory.releasePage(page);
    }
  }
}
