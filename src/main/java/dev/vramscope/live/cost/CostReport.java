package dev.vramscope.live.cost;

import java.util.List;
import java.util.Optional;

/**
 * What was measured on one card.
 *
 * @param device the card's name
 * @param simulated whether the times of its driver mean nothing
 * @param timerNanos what reading the clock costs: it is part of every time
 * @param distributions by size, then by operation
 */
public record CostReport(
    String device,
    boolean simulated,
    CostPlan plan,
    long timerNanos,
    List<CostDistribution> distributions) {
  public CostReport {
    distributions = List.copyOf(distributions);
  }

  /** What a reader must know before the numbers. */
  public Optional<String> caution() {
    return simulated
        ? Optional.of(
            "This is a "
                + device
                + ": what its driver's calls cost means nothing. Cached calls are real.")
        : Optional.empty();
  }

  /**
   * One of the distributions.
   *
   * @throws IllegalArgumentException if this size was not measured
   */
  public CostDistribution of(CostOperation operation, long bytes) {
    return distributions.stream()
        .filter(each -> each.operation() == operation && each.bytes() == bytes)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    operation.id() + " was not measured with " + bytes + " bytes."));
  }

  /**
   * How many times longer the driver takes for allocating and freeing, with idle streams, than the
   * cache: medians.
   */
  public double driverPairOverCachedPair(long bytes) {
    return (double) pair(CostOperation.DRIVER_ALLOCATE, CostOperation.DRIVER_FREE_IDLE, bytes)
        / Math.max(1, pair(CostOperation.CACHED_ALLOCATE, CostOperation.CACHED_FREE, bytes));
  }

  private long pair(CostOperation allocate, CostOperation free, long bytes) {
    return of(allocate, bytes).p50Nanos() + of(free, bytes).p50Nanos();
  }
}
