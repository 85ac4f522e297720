package dev.vramscope.cli.gpu;

import dev.vramscope.device.Device;
import dev.vramscope.live.latency.LatencyDistribution;
import dev.vramscope.live.latency.LatencyMeasurement;
import dev.vramscope.live.latency.LatencyPlan;
import dev.vramscope.live.latency.LatencyReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Compares the latency of driver calls with that of cached allocations (budget G1). */
record CallLatencyCheck(Supplier<? extends Device> open) implements Check {
  private static final long MIB = 1L << 20;
  private static final double BUDGET = 100;

  @Override
  public String name() {
    return "driver calls compared with cached allocations";
  }

  @Override
  public CheckOutcome run() {
    LatencyReport report = LatencyMeasurement.of(open.get(), LatencyPlan.standard());
    Map<String, Object> figures = new LinkedHashMap<>();
    for (LatencyDistribution each : report.distributions()) {
      String prefix = each.operation().id() + "_" + each.bytes() / MIB + "MiB";
      figures.put(prefix + "_p50_nanos", each.p50Nanos());
      figures.put(prefix + "_p99_nanos", each.p99Nanos());
      figures.put(prefix + "_max_nanos", each.maxNanos());
    }
    double ratio = report.driverPairOverCachedPair(4 * MIB);
    figures.put("driver_pair_over_cached_pair_4MiB", ratio);
    String text =
        "A cached allocate and free of 4 MiB is %.0f times faster than the driver's (budget %.0f)."
            .formatted(ratio, BUDGET);
    return report.simulated()
        ? new CheckOutcome(
            CheckOutcome.Verdict.SKIPPED, text + " " + report.warning().orElseThrow(), figures)
        : CheckOutcome.passedIf(ratio >= BUDGET, text, figures);
  }
}
