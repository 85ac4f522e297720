package dev.vramscope.whatif;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;

/**
 * What a recording itself shows, without a replay: the reference of all rows.
 *
 * @param peakReservedBytes the most bytes held from the device, or {@link ActiveBytes#UNKNOWN}
 * @param peakLiveBytes the most requested bytes at one time, a failed request included; no
 *     allocator that leaves blocks where they are can need less
 * @param driverAllocations segments acquired and ranges mapped
 * @param driverFrees segments released and ranges unmapped
 * @param ooms requests that failed
 */
public record RecordedNumbers(
    long peakReservedBytes,
    long peakLiveBytes,
    long driverAllocations,
    long driverFrees,
    long ooms) {
  /** Counts the events of a device. */
  public static RecordedNumbers of(DeviceSnapshot device, ActiveBytes active) {
    Trace trace = device.trace();
    long peakLive = active.peakBytes();
    for (OomEvent oom : trace.ooms()) {
      peakLive = Math.max(peakLive, active.at(oom.event()) + oom.requestedBytes());
    }
    long acquired = 0;
    long released = 0;
    for (int event = 0; event < trace.size(); event++) {
      switch (trace.action(event)) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> acquired++;
        case SEGMENT_FREE, SEGMENT_UNMAP -> released++;
        default -> {
          // No call of the driver.
        }
      }
    }
    return new RecordedNumbers(
        active.peakReservedBytes(), peakLive, acquired, released, trace.ooms().size());
  }

  /** Calls of the driver that acquire or release memory. */
  public long driverCalls() {
    return driverAllocations + driverFrees;
  }

  /** Whether the reserved bytes are known. */
  public boolean isReservedKnown() {
    return peakReservedBytes != ActiveBytes.UNKNOWN;
  }
}
