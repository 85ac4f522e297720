package dev.vramscope.live.latency;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The times of one operation, in nanoseconds. Values are exact to three digits.
 *
 * @param bytes the size of the block
 * @param buckets the histogram, without leading empty buckets
 */
public record LatencyDistribution(
    TimedOperation operation,
    long bytes,
    long count,
    long minNanos,
    double meanNanos,
    long p50Nanos,
    long p90Nanos,
    long p99Nanos,
    long p999Nanos,
    long maxNanos,
    List<Bucket> buckets) {
  /** Four buckets for each factor of two, the resolution of the plot. */
  private static final double BUCKET_FACTOR = Math.pow(2, 0.25);

  private static final long FIRST_BUCKET_NANOS = 10;

  /**
   * A bucket of the histogram.
   *
   * @param count the samples above {@code fromNanos} and up to {@code toNanos}
   */
  public record Bucket(long fromNanos, long toNanos, long count) {}

  public LatencyDistribution {
    buckets = List.copyOf(buckets);
  }

  static LatencyDistribution of(TimedOperation operation, long bytes, Histogram histogram) {
    return new LatencyDistribution(
        operation,
        bytes,
        histogram.getTotalCount(),
        histogram.getMinValue(),
        histogram.getMean(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(90),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getMaxValue(),
        buckets(histogram));
  }

  private static List<Bucket> buckets(Histogram histogram) {
    List<Bucket> buckets = new ArrayList<>();
    for (HistogramIterationValue value :
        histogram.logarithmicBucketValues(FIRST_BUCKET_NANOS, BUCKET_FACTOR)) {
      long count = value.getCountAddedInThisIterationStep();
      if (count > 0 || !buckets.isEmpty()) {
        buckets.add(new Bucket(value.getValueIteratedFrom(), value.getValueIteratedTo(), count));
      }
    }
    return buckets;
  }
}
