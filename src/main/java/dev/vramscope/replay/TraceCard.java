package dev.vramscope.replay;

import dev.vramscope.device.Device;

/** The card that a caching trace runs on: a device, and what a trace can do to it besides. */
interface TraceCard {
  Device device();

  /** Lets up to so many more events of a stream become done. */
  void advance(int stream, long events);

  /** Sets how much of the card other processes hold. */
  void setExternalBytes(long bytes);

  /** Bytes handed out and not yet returned. */
  long usedBytes();

  DeviceCalls calls();
}
