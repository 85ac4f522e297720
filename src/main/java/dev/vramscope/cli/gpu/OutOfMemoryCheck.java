package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Checks that a failed request creates a post-mortem and the allocator continues to work. */
record OutOfMemoryCheck(ServiceClient service, String device) implements Check {
  private static final long MIB = 1L << 20;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** A twentieth of the device, so that a leak reaches the limit quickly. */
  private static final String SETTINGS = "per_process_memory_fraction:0.05";

  @Override
  public String name() {
    return "out of memory";
  }

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    try (CheckedAllocator hosted = CheckedAllocator.create(service, device, "caching", SETTINGS)) {
      JsonNode run = hosted.run(Map.of("workload", "leak", "scale", 4), LONGEST);
      CheckFailure.require(
          run.get("ooms").asLong() > 0, "The leak did not run out of memory: " + run);
      JsonNode incident = hosted.view().get("incidents").path(0);
      String page = incident.path("page").asString("");
      CheckFailure.require(!page.isEmpty(), "The failure has no page: " + incident);
      String postMortem = service.raw("GET", page, null).body();
      CheckFailure.require(
          postMortem.contains("losses.append") || postMortem.contains("forward"),
          "The post-mortem at " + page + " does not name the requesting scope");
      service.post(hosted.path() + "/blocks", Map.of("bytes", MIB, "stream", 0));
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("steps_to_oom", run.get("steps").asLong());
      figures.put("message", incident.get("text").asString());
      return CheckOutcome.passed(
          "The failure was stored and explained; the allocator continues to work.", figures);
    }
  }
}
