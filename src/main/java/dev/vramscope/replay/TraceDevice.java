package dev.vramscope.replay;

import dev.vramscope.device.Device;

/** The device of a caching trace, with the controls that trace operations need. */
interface TraceDevice {
  Device device();

  /** Completes up to {@code events} more events of a stream. */
  void advance(int stream, long events);

  /** Sets the memory that other processes use. */
  void setExternalBytes(long bytes);

  /** Physical bytes in use. */
  long usedBytes();

  /** Counts of the calls so far. */
  DeviceCalls calls();
}
