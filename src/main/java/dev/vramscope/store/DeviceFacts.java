package dev.vramscope.store;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import java.util.List;

/**
 * How much of everything a device has. A sum beyond 64 bits, which only a file that lies can have,
 * stays at the largest number.
 */
record DeviceFacts(
    int ordinal,
    long eventCount,
    long segmentCount,
    long blockCount,
    long reservedBytes,
    long allocatedBytes) {

  static DeviceFacts of(DeviceSnapshot device) {
    long blocks = 0;
    long reserved = 0;
    long allocated = 0;
    for (Segment segment : device.segments()) {
      blocks += segment.blocks().size();
      reserved = sum(reserved, segment.bytes());
      allocated = sum(allocated, segment.allocatedBytes());
    }
    return new DeviceFacts(
        device.ordinal(),
        device.trace().size(),
        device.segments().size(),
        blocks,
        reserved,
        allocated);
  }

  /** The devices together. */
  static DeviceFacts total(List<DeviceFacts> devices) {
    DeviceFacts total = new DeviceFacts(-1, 0, 0, 0, 0, 0);
    for (DeviceFacts device : devices) {
      total =
          new DeviceFacts(
              -1,
              total.eventCount + device.eventCount,
              total.segmentCount + device.segmentCount,
              total.blockCount + device.blockCount,
              sum(total.reservedBytes, device.reservedBytes),
              sum(total.allocatedBytes, device.allocatedBytes));
    }
    return total;
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
