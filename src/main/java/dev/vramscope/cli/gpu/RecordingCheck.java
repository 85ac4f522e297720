package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Measures how much recording slows down a workload on the device (budget G4). */
record RecordingCheck(ServiceClient service, String device) implements Check {
  private static final int ROUNDS = 5;

  /** Fewer measure code that is not compiled yet; the emulated device takes seconds for these. */
  private static final int STEPS = 200;

  private static final int EMULATED_STEPS = 20;
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final double BUDGET_PERCENT = 5;

  private static final Map<String, ?> OFF = Map.of("recording", "off");
  private static final Map<String, ?> STACKS = Map.of("recording", "all", "contexts", "both");

  @Override
  public String name() {
    return "cost of recording with stacks";
  }

  /** How long a run took, and its allocations and frees. */
  private record Run(double millis, long operations) {}

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    double[] off = new double[ROUNDS];
    double[] stacks = new double[ROUNDS];
    measured(OFF);
    long operations = measured(STACKS).operations();
    for (int round = 0; round < ROUNDS; round++) {
      off[round] = measured(OFF).millis();
      stacks[round] = measured(STACKS).millis();
    }
    double percent = 100 * (median(stacks) / median(off) - 1);
    double micros = 1000 * (median(stacks) - median(off)) / operations;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("off_millis", median(off));
    figures.put("stacks_millis", median(stacks));
    figures.put("slower_percent", percent);
    figures.put("operations", operations);
    figures.put("micros_per_operation", micros);
    String text =
        ("A loop that allocates as training does, but only writes to its memory, takes %.1f %%"
                + " longer when every stack is recorded (budget %.0f %%): %.1f µs for each"
                + " allocation and free.")
            .formatted(percent, BUDGET_PERCENT, micros);
    return service.isEmulated()
        ? new CheckOutcome(
            CheckOutcome.Verdict.SKIPPED,
            text + " The emulated device uses small blocks, so this does not apply to a GPU.",
            figures)
        : CheckOutcome.passedIf(percent <= BUDGET_PERCENT, text, figures);
  }

  private Run measured(Map<String, ?> history) throws IOException, InterruptedException {
    int steps = service.isEmulated() ? EMULATED_STEPS : STEPS;
    try (CheckedAllocator hosted =
        CheckedAllocator.create(service, device, "caching", "", history)) {
      long begin = System.nanoTime();
      JsonNode run =
          hosted.run(
              Map.of(
                  "workload", "training-fixed", "steps", steps, "scale", service.workloadScale()),
              LONGEST);
      double millis = (System.nanoTime() - begin) / 1e6;
      CheckFailure.require(
          run.get("state").asString().equals("done"), "The workload did not finish: " + run);
      return new Run(millis, run.get("allocations").asLong() + run.get("frees").asLong());
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
