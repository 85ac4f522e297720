package dev.vramscope.live.cost;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Times one operation again and again. */
final class Stopwatch {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);
  private long beginNanos;

  void begin() {
    beginNanos = System.nanoTime();
  }

  void end() {
    histogram.recordValue(Math.min(System.nanoTime() - beginNanos, LONGEST_NANOS));
  }

  /** Forgets what was timed so far: it was for warming up. */
  void reset() {
    histogram.reset();
  }

  long medianNanos() {
    return histogram.getValueAtPercentile(50);
  }

  CostDistribution distribution(CostOperation operation, long bytes) {
    return CostDistribution.of(operation, bytes, histogram);
  }
}
