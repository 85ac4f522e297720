package dev.vramscope.web;

import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

/** Snapshots of different shapes, stored in a server: by name the id. */
final class SnapshotShapes {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  private static final String EVENTS =
      "{\"action\": \"segment_alloc\", \"addr\": 4194304, \"size\": 20971520, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"alloc\", \"addr\": 4194304, \"size\": 1000000, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"alloc\", \"addr\": 5242880, \"size\": 524288, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"alloc\", \"addr\": 5767168, \"size\": 2000000, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"free_requested\", \"addr\": 5767168, \"size\": 2000000, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"free_completed\", \"addr\": 5767168, \"size\": 2000000, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"free_requested\", \"addr\": 5242880, \"size\": 524288, \"stream\": 0,"
          + " \"frames\": []},"
          + "{\"action\": \"oom\", \"addr\": 0, \"size\": 1073741824, \"device_free\": 7340032,"
          + " \"stream\": 0, \"frames\": []},"
          + "{\"action\": \"snapshot\", \"addr\": 0, \"size\": 0, \"stream\": 0, \"frames\": []}";

  private SnapshotShapes() {}

  /** Stores all shapes. */
  static Map<String, String> storeAll(LocalServer server) {
    Map<String, String> ids = new LinkedHashMap<>();
    for (String sample :
        new String[] {SampleFiles.HEALTHY, SampleFiles.FRAGMENTED, "out-of-memory-expandable"}) {
      ids.put(sample, stored(server, sample, SampleFiles.gzip(sample)));
    }
    for (String file : new String[] {"train_33_events", "pinned_host"}) {
      ids.put(file, stored(server, file, ofTestData(file)));
    }
    ids.put("no-trace", stored(server, "no-trace", json("[[]]")));
    ids.put("no-stacks", stored(server, "no-stacks", json("[[" + EVENTS + "]]")));
    ids.put(
        "two-devices",
        stored(
            server,
            "two-devices",
            json(
                "[" + segment(0, 4194304) + "," + segment(1, 8L << 30) + "]",
                "[[" + EVENTS + "],[]]")));
    ids.put("trace-only", stored(server, "trace-only", json("[]", "[[" + EVENTS + "]]")));
    ids.put("live", ofLiveAllocator(server));
    return ids;
  }

  private static String stored(LocalServer server, String name, byte[] file) {
    var answer = server.post(SNAPSHOTS + "?job=shapes&rank=0&name=" + name, file);
    if (answer.statusCode() > 201) {
      throw new IllegalStateException(
          name + ": " + new String(answer.body(), StandardCharsets.UTF_8));
    }
    return Json.of(answer).path("id").asString();
  }

  private static byte[] ofTestData(String file) {
    try {
      return Files.readAllBytes(TestData.file("snapshots/" + file + ".pickle"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String segment(int device, long address) {
    return "{\"device\": %d, \"address\": %d, \"total_size\": 20971520, \"allocated_size\": 1048576,"
            .formatted(device, address)
        + " \"active_size\": 1572864, \"requested_size\": 1524288, \"stream\": 0,"
        + " \"segment_type\": \"large\", \"segment_pool_id\": [0, 0], \"is_expandable\": false,"
        + " \"blocks\": "
        + ("[{\"address\": %d, \"size\": 1048576, \"requested_size\": 1000000, \"state\":"
               + " \"active_allocated\", \"frames\": []}, {\"address\": %d, \"size\": 524288,"
               + " \"requested_size\": 524288, \"state\": \"active_pending_free\", \"frames\": []},"
               + " {\"address\": %d, \"size\": 19398656, \"requested_size\": 0, \"state\":"
               + " \"inactive\", \"frames\": []}]")
            .formatted(address, address + 1048576, address + 1572864)
        + "}";
  }

  private static byte[] json(String traces) {
    return json("[" + segment(0, 4194304) + "]", traces);
  }

  private static byte[] json(String segments, String traces) {
    return ("{\"segments\": " + segments + ", \"device_traces\": " + traces + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A snapshot that the service stored itself when a hosted allocator was out of memory. */
  private static String ofLiveAllocator(LocalServer server) {
    byte[] form =
        "{\"device\":\"sim:1GiB\",\"kind\":\"caching\",\"settings\":\"\"}"
            .getBytes(StandardCharsets.UTF_8);
    String type = "application/json";
    String id =
        Json.of(server.post("/api/v1/allocators", form, "Content-Type", type))
            .path("id")
            .asString();
    String blocks = "/api/v1/allocators/" + id + "/blocks";
    for (long bytes : new long[] {300_000_000, 1000, 300_000_000, 5_000_000_000L}) {
      server.post(
          blocks,
          ("{\"bytes\":" + bytes + ",\"scope\":\"layer\"}").getBytes(StandardCharsets.UTF_8),
          "Content-Type",
          type);
    }
    return await("the snapshot of the failure is stored")
        .until(
            () -> Json.of(server.get("/api/v1/allocators/" + id)).findValuesAsString("snapshot"),
            found -> !found.isEmpty() && !found.getFirst().isBlank())
        .getFirst();
  }
}
