package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Every workload on every kind of allocator, each block filled and checked: wrong overlaps and
 * reuse that comes too early show as mismatches. The workload with the bug must show them.
 */
record WorkloadsCheck(Service service, String card) implements Check {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final String BUG = "cross-stream-unrecorded";

  private record Setup(String name, String kind, String settings) {}

  private static final List<Setup> SETUPS =
      List.of(
          new Setup("caching", "caching", ""),
          new Setup("caching expandable", "caching", "expandable_segments:True"),
          new Setup("bfc", "bfc", "mem_fraction=0.5"),
          new Setup("bfc growing", "bfc", "preallocate=false"),
          new Setup("direct", "direct", ""));

  /** A workload, and steps enough to reach every path in seconds. */
  private static final Map<String, Integer> STEPS =
      Map.of(
          "training-fixed", 5,
          "training-varying", 10,
          "inference-kv-cache", 200,
          "cross-stream", 40,
          "fragmenter", 100);

  @Override
  public String name() {
    return "workloads, filled and verified";
  }

  @Override
  public Outcome run() throws IOException, InterruptedException {
    Map<String, Object> figures = new LinkedHashMap<>();
    long checks = 0;
    long filledBytes = 0;
    for (Setup setup : SETUPS) {
      try (Hosted hosted = Hosted.on(service, card, setup.kind(), setup.settings())) {
        for (var workload : STEPS.entrySet()) {
          JsonNode run = run(hosted, workload.getKey(), workload.getValue());
          String where = workload.getKey() + " on " + setup.name();
          CheckFailure.require(
              run.get("state").asString().equals("done"), where + " did not end: " + run);
          CheckFailure.require(
              run.get("mismatches").asLong() == 0, where + " found wrong memory: " + run);
          checks += run.get("checks").asLong();
          filledBytes += run.get("filledBytes").asLong();
        }
      }
    }
    figures.put("checks", checks);
    figures.put("filled_bytes", filledBytes);
    long caught = mismatchesOfTheBug();
    figures.put("mismatches_of_" + BUG, caught);
    return Outcome.within(
        checks > 0 && caught > 0,
        "%d blocks of %d workloads on %d allocators held what was written; the missing"
                .formatted(checks, STEPS.size(), SETUPS.size())
            + " record_stream was caught %d times.".formatted(caught),
        figures);
  }

  private long mismatchesOfTheBug() throws IOException, InterruptedException {
    try (Hosted hosted = Hosted.on(service, card, "caching", "")) {
      return run(hosted, BUG, 40).get("mismatches").asLong();
    }
  }

  private JsonNode run(Hosted hosted, String workload, int steps)
      throws IOException, InterruptedException {
    return hosted.run(
        Map.of("workload", workload, "steps", steps, "scale", service.workloadScale()), LONGEST);
  }
}
