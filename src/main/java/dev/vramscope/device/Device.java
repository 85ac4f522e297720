package dev.vramscope.device;

import java.util.List;

/** One GPU. */
public interface Device {
  /** The device's number in this process, from 0. */
  int ordinal();

  /** What people call it: {@code NVIDIA H200}, {@code simulated card of 16 GiB}. */
  String name();

  /** Whether this is no real card, so that how long its calls take means nothing. */
  default boolean isSimulated() {
    return false;
  }

  DeviceMemory memory();

  VirtualMemory virtualMemory();

  Streams streams();

  HostMemory hostMemory();

  DeviceWork work();

  /**
   * What each process holds on this device, or an empty list where the driver does not tell. The
   * order is the driver's.
   */
  List<ProcessMemory> processes();

  /** Lets go of the card: what is out goes back to it. A simulated card ends with its object. */
  default void close() {}
}
