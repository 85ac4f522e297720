package dev.vramscope.live.latency;

import java.util.List;

/**
 * The parameters of a measurement.
 *
 * @param sizes bytes of the blocks, each a positive multiple of 2 MiB
 * @param driverSamples samples of each driver call with idle streams
 * @param busySamples samples of a free with a busy stream
 * @param busyNanos how long the stream is busy in each of them
 * @param cachedSamples samples of each cached call
 */
public record LatencyPlan(
    List<Long> sizes, int driverSamples, int busySamples, long busyNanos, int cachedSamples) {
  private static final long MIB = 1L << 20;
  private static final long SIZE_MULTIPLE = 2 * MIB;

  public LatencyPlan {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(LatencyPlan::isInvalid)) {
      throw new IllegalArgumentException(
          "sizes must contain at least one positive multiple of 2 MiB and nothing else, got "
              + sizes
              + " bytes.");
    }
    if (driverSamples < 1 || busySamples < 1 || busyNanos < 1 || cachedSamples < 1) {
      throw new IllegalArgumentException(
          "Each operation needs at least one sample, and busyNanos must be at least 1, got "
              + List.of(driverSamples, busySamples, busyNanos, cachedSamples)
              + ".");
    }
  }

  private static boolean isInvalid(long bytes) {
    return bytes <= 0 || bytes % SIZE_MULTIPLE != 0;
  }

  /** Blocks of 2, 4 and 64 MiB; takes a few seconds on a GPU. */
  public static LatencyPlan standard() {
    return new LatencyPlan(List.of(2 * MIB, 4 * MIB, 64 * MIB), 500, 50, 5_000_000, 200_000);
  }
}
