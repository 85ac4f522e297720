package dev.vramscope.live.cost;

import java.util.List;

/**
 * What to measure.
 *
 * @param sizes bytes of the blocks, each a positive multiple of 2 MiB
 * @param driverSamples how often each driver call is timed with idle streams
 * @param busySamples how often a free with a busy stream is timed
 * @param busyNanos how long the stream is busy then
 * @param cachedSamples how often each cached call is timed
 */
public record CostPlan(
    List<Long> sizes, int driverSamples, int busySamples, long busyNanos, int cachedSamples) {
  private static final long MIB = 1L << 20;
  private static final long SIZE_MULTIPLE = 2 * MIB;

  public CostPlan {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(CostPlan::isNoSize)) {
      throw new IllegalArgumentException(
          "sizes are positive multiples of 2 MiB, at least one, got " + sizes + " bytes.");
    }
    if (driverSamples < 1 || busySamples < 1 || busyNanos < 1 || cachedSamples < 1) {
      throw new IllegalArgumentException(
          "Each operation is timed at least once and a stream is busy for at least 1 ns, got "
              + List.of(driverSamples, busySamples, busyNanos, cachedSamples)
              + ".");
    }
  }

  private static boolean isNoSize(long bytes) {
    return bytes <= 0 || bytes % SIZE_MULTIPLE != 0;
  }

  /** Blocks of 2, 4 and 64 MiB; a few seconds on a GPU. */
  public static CostPlan standard() {
    return new CostPlan(List.of(2 * MIB, 4 * MIB, 64 * MIB), 500, 50, 5_000_000, 200_000);
  }
}
