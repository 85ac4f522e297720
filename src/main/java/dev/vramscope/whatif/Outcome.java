package dev.vramscope.whatif;

import java.util.OptionalInt;

/**
 * The result of a replay.
 *
 * @param fits whether no request failed
 * @param failsAtEvent the recorded event of the first request that failed
 * @param lastFailureAtEvent that of the last one
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
    OptionalInt lastFailureAtEvent,
    long ooms,
    long peakReservedBytes,
    long peakAllocatedBytes,
    long driverAllocations,
    long driverFrees,
    long retries) {
  /** Instead of an event: no request failed. */
  static final int NO_FAILURE = Integer.MIN_VALUE;

  /** Allocations and frees of device memory; each may wait for the device. */
  public long driverCalls() {
    return driverAllocations + driverFrees;
  }
}
