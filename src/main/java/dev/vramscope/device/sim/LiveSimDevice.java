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
 * A simulated card whose streams take time by themselves, for allocators that live in a running
 * service. As with a real driver, freeing memory waits for all streams, unmapping for none.
 */
public final class LiveSimDevice implements Device {
  private final SimDevice card;
  private final TimedStreams streams = new TimedStreams();
  private final DeviceWork work;
  private final DeviceMemory memory;
  private final VirtualMemory virtualMemory;

  LiveSimDevice(SimDevice card) {
    this.card = card;
    work = new SimWork(streams, card.stamps());
    memory = new WaitingMemory(card.memory(), streams);
    virtualMemory = new SettlingVirtualMemory(card.virtualMemory(), streams);
  }

  /** The card below, for those who play its driver and its other processes. */
  public SimDevice card() {
    return card;
  }

  @Override
  public int ordinal() {
    return card.ordinal();
  }

  @Override
  public String name() {
    return card.name();
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
    return card.hostMemory();
  }

  @Override
  public DeviceWork work() {
    return work;
  }

  @Override
  public List<ProcessMemory> processes() {
    return card.processes();
  }

  private record WaitingMemory(SimMemory card, TimedStreams streams) implements DeviceMemory {
    @Override
    public long totalBytes() {
      return card.totalBytes();
    }

    @Override
    public long freeBytes() {
      return card.freeBytes();
    }

    @Override
    public long allocate(long bytes) {
      return card.allocate(bytes);
    }

    @Override
    public void free(long address) {
      streams.synchronizeAll();
      card.free(address);
    }
  }

  /** Before a range loses its memory, the work on it that is done by now has its effect. */
  private record SettlingVirtualMemory(SimVirtualMemory card, TimedStreams streams)
      implements VirtualMemory {
    @Override
    public long granularityBytes() {
      return card.granularityBytes();
    }

    @Override
    public long reserve(long bytes) {
      return card.reserve(bytes);
    }

    @Override
    public void freeReservation(long address, long bytes) {
      card.freeReservation(address, bytes);
    }

    @Override
    public long createPage(long bytes) {
      return card.createPage(bytes);
    }

    @Override
    public void map(long address, long bytes, long page) {
      card.map(address, bytes, page);
    }

    @Override
    public void setAccess(long address, long bytes) {
      card.setAccess(address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
      streams.settle();
      card.unmap(address, bytes);
    }

    @Override
    public void releasePage(long page) {
      card.releasePage(page);
    }
  }
}
