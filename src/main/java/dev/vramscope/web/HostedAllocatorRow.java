package dev.vramscope.web;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.HostedAllocator;

/**
 * A hosted allocator in one line of a table.
 *
 * @param deviceBytes the card's size, which is the width of the gauge
 */
record HostedAllocatorRow(HostedAllocator hosted, AllocatorTotals totals, long deviceBytes) {
  static HostedAllocatorRow of(HostedAllocator hosted) {
    return new HostedAllocatorRow(
        hosted, hosted.allocator().inspect().totals(), hosted.deviceBytes());
  }

  /** Where the allocated part of the gauge ends, in percent of the card. */
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
