package dev.vramscope.web.live;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.HostedAllocator;

/**
 * A hosted allocator in a table row.
 *
 * @param deviceBytes device memory in bytes, the full width of the gauge
 */
record HostedAllocatorRow(HostedAllocator hosted, AllocatorTotals totals, long deviceBytes) {
  static HostedAllocatorRow of(HostedAllocator hosted) {
    return new HostedAllocatorRow(
        hosted, hosted.allocator().inspect().totals(), hosted.deviceBytes());
  }

  /** Right edge of the allocated part of the gauge, in percent of the device memory. */
  public double allocatedPercent() {
    return percent(totals.allocatedBytes());
  }

  public double activePercent() {
    return percent(totals.activeBytes());
  }

  public double reservedPercent() {
    return percent(totals.reservedBytes());
  }

  private double percent(long bytes) {
    return 100.0 * bytes / Math.max(1, deviceBytes);
  }
}
