package dev.vramscope.cli.gpu;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Exercises a live session: blocks on two streams, counters, a stored snapshot, the feed. */
record SessionCheck(ServiceClient service, String device) implements Check {
  private static final long MIB = 1L << 20;
  private static final int FIRST_ERROR = 400;

  @Override
  public String name() {
    return "live session";
  }

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    Map<String, Object> figures = new LinkedHashMap<>();
    try (CheckedAllocator hosted =
        CheckedAllocator.create(service, device, "caching", "expandable_segments:True")) {
      String first = allocate(hosted, 30 * MIB, 0);
      String second = allocate(hosted, 1000, 1);
      service.post(hosted.path() + "/blocks/" + first + "/streams", Map.of("stream", 1));
      JsonNode stats = service.get(hosted.path() + "/stats");
      long allocatedBytes = stats.get("allocated_bytes.all.current").asLong();
      CheckFailure.require(
          allocatedBytes == 30 * MIB + 1024,
          "30 MiB and 1000 bytes were allocated, but allocated_bytes is " + allocatedBytes);
      CheckFailure.require(
          service.text(hosted.path() + "/stats").contains("PyTorch CUDA memory summary"),
          "The text form of the counters is not a memory summary");
      driverView(hosted, figures);
      figures.put("feed_first_frame_bytes", firstFrame(hosted));
      String snapshot = service.post(hosted.path() + "/snapshot", Map.of()).get("id").asString();
      CheckFailure.require(
          service.raw("GET", "/snapshots/" + snapshot, null).statusCode() < FIRST_ERROR,
          "The page of the stored snapshot does not open");
      service.delete(hosted.path() + "/blocks/" + first);
      service.delete(hosted.path() + "/blocks/" + second);
      HttpResponse<String> again = service.raw("DELETE", hosted.path() + "/blocks/" + second, null);
      CheckFailure.require(
          again.statusCode() >= FIRST_ERROR && again.statusCode() < 500,
          "Freeing a block twice returned " + again.statusCode());
      service.post(hosted.path() + "/sync", Map.of());
      JsonNode totals = service.post(hosted.path() + "/empty-cache", Map.of()).get("totals");
      CheckFailure.require(
          totals.get("reservedBytes").asLong() == 0,
          "Memory is still reserved after everything was freed and the cache was emptied: "
              + totals);
    }
    return CheckOutcome.passed("Blocks, streams, counters, a snapshot and the feed work.", figures);
  }

  private String allocate(CheckedAllocator hosted, long bytes, int stream)
      throws IOException, InterruptedException {
    return service
        .post(hosted.path() + "/blocks", Map.of("bytes", bytes, "stream", stream))
        .get("block")
        .asString();
  }

  private void driverView(CheckedAllocator hosted, Map<String, Object> figures)
      throws IOException, InterruptedException {
    JsonNode view = service.get(hosted.path() + "/driver");
    figures.put("device_total_bytes", view.get("totalBytes").asLong());
    figures.put("device_free_bytes", view.get("freeBytes").asLong());
    for (String part : new String[] {"process", "outside", "context", "rest", "otherProcesses"}) {
      JsonNode bytes = view.path(part).path("bytes");
      figures.put(
          part + "_bytes",
          bytes.isNumber() ? bytes.asLong() : "unknown: " + view.path(part).path("unknown"));
    }
    figures.put("unexplained_bytes", view.get("unexplainedBytes").asLong());
  }

  private int firstFrame(CheckedAllocator hosted) throws IOException, InterruptedException {
    try (InputStream events = service.stream(hosted.path() + "/events");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data:")) {
          return line.length();
        }
      }
      throw new CheckFailure("The feed ended before its first frame");
    }
  }
}
