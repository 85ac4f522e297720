package dev.vramscope.live.feed;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;

/** The free memory that a device reports, sampled periodically. Not thread-safe. */
final class DeviceMeter {
  private static final long UNKNOWN = -1;
  private static final long PERIOD_MILLIS = 500;

  private final Device device;
  private final long totalBytes;
  private long freeBytes = UNKNOWN;
  private long readMillis = -PERIOD_MILLIS;

  DeviceMeter(Device device) {
    this.device = device;
    totalBytes = device.memory().totalBytes();
  }

  /** Queries the device, unless the latest value is recent. */
  void read(long millis) {
    if (millis - readMillis < PERIOD_MILLIS) {
      return;
    }
    readMillis = millis;
    try {
      freeBytes = device.memory().freeBytes();
    } catch (DeviceException | IllegalStateException unavailable) {
      freeBytes =
          UNKNOWN; // A lost or closed device is reported through the state of its allocator.
    }
  }

  boolean isKnown() {
    return freeBytes != UNKNOWN;
  }

  long freeBytes() {
    return freeBytes;
  }

  long totalBytes() {
    return totalBytes;
  }
}
