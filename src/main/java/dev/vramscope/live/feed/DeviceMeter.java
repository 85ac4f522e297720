package dev.vramscope.live.feed;

import dev.vramscope.device.DeviceException;
import dev.vramscope.live.DriverView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The device memory as its driver reports it, sampled periodically. Not thread-safe. */
final class DeviceMeter {
  private static final long PERIOD_MILLIS = 500;

  private final long totalBytes;
  private final Supplier<DriverView> driver;
  private @Nullable DriverView view;
  private long readMillis = -PERIOD_MILLIS;

  DeviceMeter(long totalBytes, Supplier<DriverView> driver) {
    this.totalBytes = totalBytes;
    this.driver = driver;
  }

  /** Queries the driver, unless the latest value is recent. */
  void read(long millis) {
    if (millis - readMillis < PERIOD_MILLIS) {
      return;
    }
    readMillis = millis;
    try {
      view = driver.get();
    } catch (DeviceException | IllegalStateException unavailable) {
      view = null; // A lost or closed device is reported through the state of its allocator.
    }
  }

  /** The latest sample; null if the driver does not respond. */
  @Nullable DriverView view() {
    return view;
  }

  long totalBytes() {
    return totalBytes;
  }
}
