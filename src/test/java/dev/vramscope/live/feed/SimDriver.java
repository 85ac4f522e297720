package dev.vramscope.live.feed;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.device.Device;
import dev.vramscope.live.DriverView;

/** The driver's view of a simulated device. */
final class SimDriver {
  private static final DriverView.Part UNKNOWN = new DriverView.Part(null, "simulated");

  private SimDriver() {}

  static DeviceMeter meter(Device device, Allocator allocator) {
    return new DeviceMeter(
        device.memory().totalBytes(), () -> view(device, allocator, /* exclusive= */ true));
  }

  static DriverView view(Device device, Allocator allocator, boolean exclusive) {
    DriverView.Part other = new DriverView.Part(exclusive ? null : 7L << 20, null);
    return new DriverView(
        device.name(),
        /* simulated= */ true,
        exclusive,
        device.memory().totalBytes(),
        device.memory().freeBytes() - (exclusive ? 0 : 10L << 20),
        allocator.inspect().totals().reservedBytes(),
        exclusive ? 0 : 1L << 20,
        UNKNOWN,
        exclusive ? UNKNOWN : new DriverView.Part(2L << 20, null),
        UNKNOWN,
        UNKNOWN,
        exclusive ? UNKNOWN : other,
        0);
  }
}
