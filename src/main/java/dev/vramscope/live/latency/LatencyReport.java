package dev.vramscope.live.latency;

import java.util.List;
import java.util.Optional;

/**
 * The result of a measurement on one device.
 *
 * @param device the name of the device
 * @param simulated whether its driver is simulated or emulated, so that its times are not
 *     representative
 * @param timerNanos the duration of reading the clock, which is part of every time
 * @param distributions by size, then by operation
 */
public record LatencyReport(
    String device,
    boolean simulated,
    LatencyPlan plan,
    long timerNanos,
    List<LatencyDistribution> distributions) {
  public LatencyReport {
    distributions = List.copyOf(distributions);
  }

  /** A warning that applies to the numbers. */
  public Optional<String> warning() {
    return simulated
        ? Optional.of(
            "The device is a "
                + device
                + ": the times of its driver are not representative. The times of cached calls are"
                + " real.")
        : Optional.empty();
  }

  /**
   * Returns one of the distributions.
   *
   * @throws IllegalArgumentException if this size was not measured
   */
  public LatencyDistribution of(TimedOperation operation, long bytes) {
    return distributions.stream()
        .filter(each -> each.operation() == operation && each.bytes() == bytes)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    operation.id() + " was not measured with " + bytes + " bytes."));
  }

  /**
   * The median time of a driver allocate and free with idle streams, divided by that of a cached
   * allocate and free.
   */
  public double driverPairOverCachedPair(long bytes) {
    return (double) pair(TimedOperation.DRIVER_ALLOCATE, TimedOperation.DRIVER_FREE_IDLE, bytes)
        / Math.max(1, pair(TimedOperation.CACHED_ALLOCATE, TimedOperation.CACHED_FREE, bytes));
  }

  private long pair(TimedOperation allocate, TimedOperation free, long bytes) {
    return of(allocate, bytes).p50Nanos() + of(free, bytes).p50Nanos();
  }
}
