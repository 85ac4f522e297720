package dev.vramscope.device;

import java.util.List;

/** One GPU. */
public interface Device {
  /** The device's number in this process, from 0. */
  int ordinal();

  DeviceMemory memory();

  VirtualMemory virtualMemory();

  Streams streams();

  /**
   * What each process holds on this device, or an empty list where the driver does not tell. The
   * order is the driver's.
   */
  List<ProcessMemory> processes();
}
