package dev.vramscope.live.latency;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Collects the times of one operation. */
final class Stopwatch {
  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(MAX_NANOS, DIGITS);
  private long beginNanos;

  void begin() {
    beginNanos = System.nanoTime();
  }

  void end() {
    histogram.recordValue(Math.min(System.nanoTime() - beginNanos, MAX_NANOS));
  }

  /** Discards the samples of the warm-up. */
  void reset() {
    histogram.reset();
  }

  long medianNanos() {
    return histogram.getValueAtPercentile(50);
  }

  LatencyDistribution distribution(TimedOperation operation, long bytes) {
    return LatencyDistribution.of(operation, bytes, histogram);
  }
}
