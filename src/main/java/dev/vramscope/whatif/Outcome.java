package dev.vramscope.whatif;

import java.util.OptionalInt;

/**
 * The result of a replay.
 *
 * @param fits whether no request failed
 * @param failsAtEvent the recorded event of the first request that failed
 * @param ooms the number of requests that failed
 * @param peakReservedBytes the most bytes held from the device
 * @param peakAllocatedBytes the most bytes that clients held, rounded
 * @param driverAllocations segments acquired and ranges mapped
 * @param driverFrees segments released and ranges unmapped
 * @param retries requests that were tried again after the cache was emptied
 */
public record Outcome(
    boolean fits,
    OptionalInt failsAtEvent,
    long ooms,
    long peakReservedBytes,
    long peakAllocatedBytes,
    long driverAllocations,
    long driverFrees,
    long retries) {

  /** Allocations and frees of device memory; each may wait for the device. */
  public long driverCalls() {
    return driverAllocations + driverFrees;
  }
}
