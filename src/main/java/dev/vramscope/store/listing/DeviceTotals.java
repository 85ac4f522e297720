package dev.vramscope.store.listing;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import java.util.List;

/**
 * Counts and sums of one device, or of all devices. A sum that exceeds 64 bits, which only a
 * malformed file can have, saturates at {@link Long#MAX_VALUE}.
 */
public record DeviceTotals(
    int ordinal,
    long eventCount,
    long segmentCount,
    long blockCount,
    long reservedBytes,
    long allocatedBytes) {

  public static DeviceTotals of(DeviceSnapshot device) {
    long blocks = 0;
    long reserved = 0;
    long allocated = 0;
    for (Segment segment : device.segments()) {
      blocks += segment.blocks().size();
      reserved = sum(reserved, segment.bytes());
      allocated = sum(allocated, segment.allocatedBytes());
    }
    return new DeviceTotals(
        device.ordinal(),
        device.trace().size(),
        !device.kind().hasAddresses() ? 0 : device.segments().size(),
        blocks,
        !device.kind().hasAddresses() ? 0 : reserved, // Unknown: its buffers are in no segment.
        allocated);
  }

  /** The totals of all devices, with the ordinal -1. */
  public static DeviceTotals total(List<DeviceTotals> devices) {
    DeviceTotals total = new DeviceTotals(-1, 0, 0, 0, 0, 0);
    for (DeviceTotals device : devices) {
      total =
          new DeviceTotals(
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
