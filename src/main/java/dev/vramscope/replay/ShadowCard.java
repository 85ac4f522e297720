package dev.vramscope.replay;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import dev.vramscope.device.sim.SimDevice;
import java.util.List;

/**
 * A simulated card whose memory calls are made on a real one too. What a trace sees is the
 * simulated card: its size, its addresses, its streams. The real one has to grant every call in the
 * same order, and to have enough.
 */
final class ShadowCard implements TraceCard, Device, AutoCloseable {
  private final SimTraceCard simulated;
  private final ShadowMemory memory;
  private final ShadowVirtualMemory virtualMemory;

  ShadowCard(SimDevice simulated, Device card) {
    this.simulated = new SimTraceCard(simulated);
    memory = new ShadowMemory(simulated.memory(), card.memory());
    virtualMemory = new ShadowVirtualMemory(simulated.virtualMemory(), card.virtualMemory());
  }

  @Override
  public Device device() {
    return this;
  }

  @Override
  public void advance(int stream, long events) {
    simulated.advance(stream, events);
  }

  @Override
  public void setExternalBytes(long bytes) {
    simulated.setExternalBytes(bytes);
  }

  @Override
  public long usedBytes() {
    return simulated.usedBytes();
  }

  @Override
  public DeviceCalls calls() {
    return simulated.calls();
  }

  @Override
  public int ordinal() {
    return simulated.device().ordinal();
  }

  @Override
  public String name() {
    return simulated.device().name();
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
    return simulated.device().streams();
  }

  @Override
  public HostMemory hostMemory() {
    return simulated.device().hostMemory();
  }

  @Override
  public DeviceWork work() {
    return simulated.device().work();
  }

  @Override
  public List<ProcessMemory> processes() {
    return simulated.device().processes();
  }

  /** Gives back to the real card what a trace left allocated. */
  @Override
  public void close() {
    virtualMemory.freeAll();
    memory.freeAll();
  }
}
