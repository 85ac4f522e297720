package dev.vramscope;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does what users do with a service that has just started, and ends: a recording of realistic size
 * with a failed request, its upload, its pages and charts, replays, and a log. Java records an AOT
 * cache meanwhile ({@code -XX:AOTCacheOutput}), with which the next start and its first requests
 * need less time: classes are linked, and hot methods are known. Only for a service with an empty
 * data folder; {@code script/server} and the image use it.
 */
final class TrainingRun {
  /** A property of Java, not a setting of the service: it is no option for users. */
  private static final String PROPERTY = "vramscope.training";

  private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);

  /** Enough that the loops over events are compiled. */
  private static final int ALLOCATIONS = 60_000;

  private static final Duration MOST_TIME = Duration.ofMinutes(2);
  private static final int ROUNDS = 3;
  private static final String JSON = "application/json";
  private static final String LOG_LINES =
      """
      step 12 loss 3.25
      torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.00 GiB \
      is free. Process 7 has 78.00 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 7.00 GiB is \
      reserved by PyTorch but unallocated.
      """;

  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();
  private final URI base;

  private TrainingRun(int port) {
    base = URI.create("http://localhost:" + port);
  }

  static boolean isWanted() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Returns the exit code: 0, or 1 if a request had no answer. */
  static int run(int port) {
    try {
      new TrainingRun(port).run();
      return 0;
    } catch (IOException | IllegalStateException failure) {
      LOG.error("The training run failed", failure);
      return 1;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private void run() throws IOException, InterruptedException {
    byte[] pickle = recording();
    String id =
        id(send("POST", "/api/v1/snapshots?name=training", pickle, "application/octet-stream"));
    String page = "/snapshots/" + id;
    String api = "/api/v1/snapshots/" + id;
    for (int round = 0; round < ROUNDS; round++) {
      for (String path :
          List.of(
              "/",
              "/snapshots",
              page,
              page + "/oom",
              page + "/timeline",
              page + "/segments",
              page + "/segment-timeline",
              page + "/events",
              page + "/sites",
              page + "/flame",
              page + "/budget",
              page + "/summary",
              page + "/whatif",
              page + "/report",
              api + "/timeline",
              api + "/segments",
              api + "/segment-timeline",
              api + "/flame",
              api + "/oom?replays=true")) {
        get(path);
      }
      send("POST", "/api/v1/explain", LOG_LINES.getBytes(StandardCharsets.UTF_8), "text/plain");
    }
    String settings =
        "{\"settings\": [\"recorded\", \"expandable_segments:True\", \"max_split_size_mb:128\"]}";
    post(api + "/whatif?wait=60", settings);
  }

  /** The pickle of a run that ends with a failed request. */
  private byte[] recording() throws IOException, InterruptedException {
    String allocator =
        "/api/v1/allocators/"
            + id(
                post(
                    "/api/v1/allocators",
                    "{\"device\": \"sim:24GiB\", \"history\": {\"recording\": \"all\", \"events\":"
                        + " 200000}}"));
    String run =
        allocator + "/workloads/" + id(post(allocator + "/workloads", "{\"workload\": \"leak\"}"));
    long end = System.nanoTime() + MOST_TIME.toNanos();
    JsonNode state = mapper.readTree(get(run));
    while (state.get("state").asString().equals("running")
        && state.get("allocations").asLong() < ALLOCATIONS
        && System.nanoTime() < end) {
      Thread.sleep(50);
      state = mapper.readTree(get(run));
    }
    send("DELETE", run, new byte[0], JSON);
    String snapshot = "/api/v1/snapshots/" + id(post(allocator + "/snapshot", ""));
    byte[] pickle = get(snapshot + "/pickle");
    send("DELETE", allocator, new byte[0], JSON);
    send("DELETE", snapshot, new byte[0], JSON);
    return pickle;
  }

  private String id(byte[] answer) {
    return mapper.readTree(answer).get("id").asString();
  }

  private byte[] get(String path) throws IOException, InterruptedException {
    return send("GET", path, new byte[0], JSON);
  }

  private byte[] post(String path, String json) throws IOException, InterruptedException {
    return send("POST", path, json.getBytes(StandardCharsets.UTF_8), JSON);
  }

  private byte[] send(String method, String path, byte[] body, String type)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", type)
            .header("Accept", path.startsWith("/api/") ? "*/*" : "text/html")
            .timeout(MOST_TIME)
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException(method + " " + path + ": " + answer.statusCode());
    }
    return answer.body();
  }
}
