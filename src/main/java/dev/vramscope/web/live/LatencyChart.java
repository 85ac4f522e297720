package dev.vramscope.web.live;

import dev.vramscope.live.latency.LatencyDistribution;
import dev.vramscope.live.latency.LatencyReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Layout of a latency report: one group per size, one row per operation with its histogram, all on
 * one logarithmic time axis. Positions are percentages of the axis width.
 */
record LatencyChart(List<Tick> ticks, List<Group> groups) {
  private static final int MIN_DECADES = 3;

  /** A power of ten of the axis. */
  record Tick(long nanos, double percent) {}

  /**
   * The measurements of one size.
   *
   * @param timesSlower median of driver allocate and free over median of the cached pair
   */
  record Group(long bytes, double timesSlower, List<Row> rows) {}

  /**
   * One operation.
   *
   * @param isDriver whether it is a driver call
   */
  record Row(
      LatencyDistribution distribution,
      boolean isDriver,
      List<Bar> bars,
      double p50Percent,
      double p99Percent,
      double maxPercent) {}

  /**
   * A bucket of the histogram.
   *
   * @param height in percent of the row: the square root of its share of the largest bucket, so
   *     that rare calls are visible
   */
  record Bar(double percent, double widthPercent, double height) {}

  /** The decades that contain all times. */
  private record Axis(int first, int last) {
    static Axis of(LatencyReport report) {
      long min = Long.MAX_VALUE;
      long max = 1;
      for (LatencyDistribution distribution : report.distributions()) {
        min = Math.min(min, Math.max(1, distribution.minNanos()));
        max = Math.max(max, distribution.maxNanos());
      }
      int first = (int) Math.floor(Math.log10((double) Math.min(min, max)));
      int last = (int) Math.ceil(Math.log10((double) max));
      return new Axis(first, Math.max(last, first + MIN_DECADES));
    }

    double percent(long nanos) {
      double position = (Math.log10((double) Math.max(1, nanos)) - first) / (last - first);
      return 100 * Math.clamp(position, 0, 1);
    }
  }

  static LatencyChart of(LatencyReport report) {
    Axis axis = Axis.of(report);
    List<Tick> ticks = new ArrayList<>();
    for (int power = axis.first; power <= axis.last; power++) {
      long nanos = Math.round(Math.pow(10, power));
      ticks.add(new Tick(nanos, axis.percent(nanos)));
    }
    List<Group> groups = new ArrayList<>();
    for (long bytes : report.plan().sizes()) {
      List<Row> rows =
          report.distributions().stream()
              .filter(each -> each.bytes() == bytes)
              .map(each -> row(each, axis))
              .toList();
      groups.add(new Group(bytes, report.driverPairOverCachedPair(bytes), rows));
    }
    return new LatencyChart(ticks, groups);
  }

  private static Row row(LatencyDistribution distribution, Axis axis) {
    long max = 1;
    for (LatencyDistribution.Bucket bucket : distribution.buckets()) {
      max = Math.max(max, bucket.count());
    }
    List<Bar> bars = new ArrayList<>();
    for (LatencyDistribution.Bucket bucket : distribution.buckets()) {
      if (bucket.count() > 0) {
        double from = axis.percent(bucket.fromNanos());
        double width = axis.percent(bucket.toNanos()) - from;
        bars.add(new Bar(from, width, 100 * Math.sqrt((double) bucket.count() / max)));
      }
    }
    return new Row(
        distribution,
        distribution.operation().id().startsWith("driver"),
        bars,
        axis.percent(distribution.p50Nanos()),
        axis.percent(distribution.p99Nanos()),
        axis.percent(distribution.maxNanos()));
  }
}
