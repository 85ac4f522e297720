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
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final double BUDGET_PERCENT = 5;

  private static final Map<String, ?> OFF = Map.of("recording", "off");
  private static final Map<String, ?> STACKS = Map.of("recording", "all", "contexts", "both");

  @Override
  public String name() {
    return "cost of recording with stacks";
  }

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    double[] off = new double[ROUNDS];
    double[] stacks = new double[ROUNDS];
    millis(OFF);
    for (int round = 0; round < ROUNDS; round++) {
      off[round] = millis(OFF);
      stacks[round] = millis(STACKS);
    }
    double percent = 100 * (median(stacks) / median(off) - 1);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("off_millis", median(off));
    figures.put("stacks_millis", median(stacks));
    figures.put("slower_percent", percent);
    String text =
        "A training loop takes %.1f %% longer when every stack is recorded (budget %.0f %%)."
            .formatted(percent, BUDGET_PERCENT);
    return service.isEmulated()
        ? new CheckOutcome(
            CheckOutcome.Verdict.SKIPPED,
            text + " The emulated device uses small blocks, so this does not apply to a GPU.",
            figures)
        : CheckOutcome.passedIf(percent <= BUDGET_PERCENT, text, figures);
  }

  private double millis(Map<String, ?> history) throws IOException, InterruptedException {
    try (CheckedAllocator hosted =
        CheckedAllocator.create(service, device, "caching", "", history)) {
      long begin = System.nanoTime();
      JsonNode run =
          hosted.run(
              Map.of("workload", "training-fixed", "steps", 20, "scale", service.workloadScale()),
              LONGEST);
      CheckFailure.require(
          run.get("state").asString().equals("done"), "The workload did not finish: " + run);
      return (System.nanoTime() - begin) / 1e6;
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
