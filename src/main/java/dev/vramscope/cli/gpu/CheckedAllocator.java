package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An allocator that the service hosts during a check. Closing this removes it. */
final class CheckedAllocator implements AutoCloseable {
  private static final String ALLOCATORS = "/api/v1/allocators";
  private static final long POLL_MILLIS = 20;

  private final ServiceClient service;
  private final String path;

  private CheckedAllocator(ServiceClient service, String path) {
    this.service = service;
    this.path = path;
  }

  /**
   * Creates an allocator.
   *
   * @param kind {@code caching}, {@code bfc} or {@code direct}
   * @param history the recorder settings of the REST interface
   */
  static CheckedAllocator create(
      ServiceClient service, String device, String kind, String settings, Map<String, ?> history)
      throws IOException, InterruptedException {
    JsonNode created =
        service.post(
            ALLOCATORS,
            Map.of(
                "name", "gpu-check " + kind,
                "device", device,
                "kind", kind,
                "settings", settings,
                "history", history));
    return new CheckedAllocator(service, ALLOCATORS + "/" + created.get("id").asLong());
  }

  static CheckedAllocator create(ServiceClient service, String device, String kind, String settings)
      throws IOException, InterruptedException {
    return create(service, device, kind, settings, Map.of("recording", "all"));
  }

  String path() {
    return path;
  }

  JsonNode view() throws IOException, InterruptedException {
    return service.get(path);
  }

  /** Runs a workload until it ends or the time is over, and returns its last progress. */
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
