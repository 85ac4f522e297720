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
 * A simulated device whose memory calls are repeated on a real device. A trace sees the size,
 * addresses and streams of the simulated device; the real device must be able to serve the same
 * calls in the same order.
 */
final class ShadowDevice implements TraceDevice, Device, AutoCloseable {
  private final SimTraceDevice simulated;
  private final ShadowMemory memory;
  private final ShadowVirtualMemory virtualMemory;

  ShadowDevice(SimDevice simulated, Device real) {
    this.simulated = new SimTraceDevice(simulated);
    memory = new ShadowMemory(simulated.memory(), real.memory());
    virtualMemory = new ShadowVirtualMemory(simulated.virtualMemory(), real.virtualMemory());
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

  /** Frees memory that a trace left allocated on the real device. */
  @Override
  public void close() {
    virtualMemory.freeAll();
    memory.freeAll();
  }
}
