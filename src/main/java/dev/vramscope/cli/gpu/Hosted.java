package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An allocator that the service hosts for a check; it is closed with it. */
final class Hosted implements AutoCloseable {
  private static final String ALLOCATORS = "/api/v1/allocators";
  private static final long POLL_MILLIS = 20;

  private final Service service;
  private final String path;

  private Hosted(Service service, String path) {
    this.service = service;
    this.path = path;
  }

  /**
   * Hosts an allocator.
   *
   * @param kind {@code caching}, {@code bfc} or {@code direct}
   * @param history what the recorder keeps, as the REST interface takes it
   */
  static Hosted on(
      Service service, String card, String kind, String settings, Map<String, ?> history)
      throws IOException, InterruptedException {
    JsonNode made =
        service.post(
            ALLOCATORS,
            Map.of(
                "name", "gpu-check " + kind,
                "device", card,
                "kind", kind,
                "settings", settings,
                "history", history));
    return new Hosted(service, ALLOCATORS + "/" + made.get("id").asLong());
  }

  static Hosted on(Service service, String card, String kind, String settings)
      throws IOException, InterruptedException {
    return on(service, card, kind, settings, Map.of("recording", "all"));
  }

  String path() {
    return path;
  }

  JsonNode view() throws IOException, InterruptedException {
    return service.get(path);
  }

  /** Starts a workload and waits for its end; what it had done by then, in any state. */
  JsonNode run(Map<String, ?> workload, Duration atMost) throws IOException, InterruptedException {
    long id = service.post(path + "/workloads", workload).get("id").asLong();
    String run = path + "/workloads/" + id;
    long end = System.nanoTime() + atMost.toNanos();
    JsonNode progress = service.get(run);
    while (progress.get("state").asString().equals("running")) {
      if (System.nanoTime() > end) {
        return service.delete(run);
      }
      Thread.sleep(POLL_MILLIS);
      progress = service.get(run);
    }
    return progress;
  }

  @Override
  public void close() throws IOException {
    try {
      service.delete(path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
