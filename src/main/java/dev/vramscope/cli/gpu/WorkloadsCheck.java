package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Runs every workload on every kind of allocator and verifies the contents of each block, so that
 * overlapping blocks and premature reuse cause mismatches. The workload with a deliberate bug must
 * cause them.
 */
record WorkloadsCheck(ServiceClient service, String device) implements Check {
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

  /** Workloads, with enough steps to reach every code path within seconds. */
  private static final Map<String, Integer> STEPS =
      Map.of(
          "training-fixed", 5,
          "training-varying", 10,
          "inference-kv-cache", 200,
          "cross-stream", 40,
          "fragmenter", 100);

  @Override
  public String name() {
    return "workloads with verified contents";
  }

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    Map<String, Object> figures = new LinkedHashMap<>();
    long checks = 0;
    long filledBytes = 0;
    for (Setup setup : SETUPS) {
      try (CheckedAllocator hosted =
          CheckedAllocator.create(service, device, setup.kind(), setup.settings())) {
        for (var workload : STEPS.entrySet()) {
          JsonNode run = run(hosted, workload.getKey(), workload.getValue());
          String label = workload.getKey() + " on " + setup.name();
          CheckFailure.require(
              run.get("state").asString().equals("done"), label + " did not finish: " + run);
          CheckFailure.require(
              run.get("mismatches").asLong() == 0, label + " found corrupted memory: " + run);
          checks += run.get("checks").asLong();
          filledBytes += run.get("filledBytes").asLong();
        }
      }
    }
    figures.put("checks", checks);
    figures.put("filled_bytes", filledBytes);
    long caught = mismatchesWithBug();
    figures.put("mismatches_in_" + BUG, caught);
    return CheckOutcome.passedIf(
        checks > 0 && caught > 0,
        "%d blocks of %d workloads on %d allocators kept their contents; the missing"
                .formatted(checks, STEPS.size(), SETUPS.size())
            + " record_stream caused %d mismatches.".formatted(caught),
        figures);
  }

  private long mismatchesWithBug() throws IOException, InterruptedException {
    try (CheckedAllocator hosted = CheckedAllocator.create(service, device, "caching", "")) {
      return run(hosted, BUG, 40).get("mismatches").asLong();
    }
  }

  private JsonNode run(CheckedAllocator hosted, String workload, int steps)
      throws IOException, InterruptedException {
    return hosted.run(
        Map.of("workload", workload, "steps", steps, "scale", service.workloadScale()), LONGEST);
  }
}
