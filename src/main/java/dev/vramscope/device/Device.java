package dev.vramscope.device;

import java.util.List;

/** One GPU. */
public interface Device {
  /** The device's number in this process, starting at 0. */
  int ordinal();

  /** The display name: {@code NVIDIA H200}, {@code simulated device of 16 GiB}. */
  String name();

  /** Whether this is not a real GPU, so that the duration of its calls is meaningless. */
  default boolean isSimulated() {
    return false;
  }

  DeviceMemory memory();

  VirtualMemory virtualMemory();

  Streams streams();

  HostMemory hostMemory();

  DeviceWork work();

  /**
   * The memory that each process uses on this device, in the driver's order; empty where the driver
   * does not report it.
   */
  List<ProcessMemory> processes();

  /**
   * Frees everything that was allocated and releases the device. Simulated devices need no close.
   */
  default void close() {}
}
