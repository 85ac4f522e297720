package dev.vramscope.cli.gpu;

import dev.vramscope.device.cuda.CallOverhead;
import dev.vramscope.device.cuda.CudaDevice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Measures the time that this program adds to a JCuda call (budget G2). */
record CallOverheadCheck(Supplier<CudaDevice> open) implements Check {
  private static final double BUDGET_NANOS = 1000;

  @Override
  public String name() {
    return "overhead of a driver call";
  }

  @Override
  public CheckOutcome run() {
    Map<String, Object> figures = new LinkedHashMap<>();
    double most = 0;
    for (CallOverhead each : CallOverhead.measure(open.get())) {
      figures.put(each.call() + "_direct_nanos", each.directNanos());
      figures.put(each.call() + "_wrapped_nanos", each.wrappedNanos());
      most = Math.max(most, each.addedNanos());
    }
    return CheckOutcome.passedIf(
        most <= BUDGET_NANOS,
        "A driver call takes at most %.0f ns longer than the bare JCuda call (budget %.0f)."
            .formatted(most, BUDGET_NANOS),
        figures);
  }
}
