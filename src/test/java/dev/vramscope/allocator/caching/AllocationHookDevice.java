package dev.vramscope.allocator.caching;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import java.util.List;

/** A device that runs an action during each memory allocation. */
record AllocationHookDevice(Device device, Runnable action) implements Device {
  @Override
  public int ordinal() {
    return device.ordinal();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public DeviceMemory memory() {
    DeviceMemory memory = device.memory();
    return new DeviceMemory() {
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
        action.run();
        return memory.allocate(bytes);
      }

      @Override
      public void free(long address) {
        memory.free(address);
      }
    };
  }

  @Override
  public VirtualMemory virtualMemory() {
    return device.virtualMemory();
  }

  @Override
  public Streams streams() {
    return device.streams();
  }

  @Override
  public HostMemory hostMemory() {
    return device.hostMemory();
  }

  @Override
  public DeviceWork work() {
    return device.work();
  }

  @Override
  public List<ProcessMemory> processes() {
    return device.processes();
  }
}
