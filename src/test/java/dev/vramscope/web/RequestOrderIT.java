package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.TestExtent;
import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.web.Endpoints.Endpoint;
import dev.vramscope.web.snapshot.SnapshotCache;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Twice as many of the most expensive requests of an endpoint as there are processors delay neither
 * the liveness probe nor the pages of others, and each is answered or refused with a time: a
 * quarter of the endpoints, and all of them in CI. The figures are printed; docs/reliability.md has
 * those of a quiet machine.
 */
class RequestOrderIT extends OnServer {
  private static final String JSON = "application/json";
  private static final int CLIENTS = 2 * Runtime.getRuntime().availableProcessors();

  /** The budgets hold on a quiet machine; that of script/test runs other tests beside this one. */
  private static final boolean IS_QUIET = Boolean.getBoolean("vramscope.test.quiet");

  /** Without an order of requests these are 7,000 to 22,000 ms. */
  private static final long MAX_LIVENESS_MILLIS = IS_QUIET ? 200 : 500;

  private static final long MAX_PAGE_MILLIS = IS_QUIET ? 500 : 1250;

  /** Of one endpoint, of which there are few probes. */
  private static final long MAX_OF_ENDPOINT_MILLIS = 3000;

  /** The others have an address of their own. */
  private static final HttpClient OTHER_CLIENT =
      HttpClient.newBuilder().localAddress(InetAddress.ofLiteral("127.0.0.2")).build();

  /** Requests that change something small, or are tested as streams elsewhere. */
  private static final Set<String> NOT_EXPENSIVE =
      Set.of(
          "GET /api/v1/allocators/events",
          "GET /api/v1/allocators/{id}/events",
          "GET /error",
          "GET /lab/{id}",
          "GET /learn/{id}",
          "GET /snapshots/delete",
          "GET /snapshots/{id}/stacks/{stack}",
          "GET /snapshots/{id}/steps/compare",
          "GET /api/v1/snapshots/{id}/evidence/{number}",
          "GET /api/v1/snapshots/{id}/whatif/{replays}",
          "POST /logs/{id}/attach",
          "POST /logs/{id}/dump",
          "POST /logs/{id}/requests",
          "POST /api/v1/devices/refresh",
          "POST /devices/refresh",
          "POST /login",
          "POST /samples/{name}",
          "POST /snapshots/delete",
          "POST /snapshots/{id}/edit",
          "POST /snapshots/{id}/evidence",
          "POST /snapshots/{id}/evidence/remove",
          "POST /api/v1/snapshots/{id}/evidence",
          "POST /live/{id}/close",
          "POST /live/{id}/workloads/{run}/stop",
          "POST /api/v1/allocators/{id}/blocks/{block}/streams",
          "POST /snapshots/{id}/whatif/cancel");

  private static final String ALLOCATORS = "/api/v1/allocators";
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

  @SuppressWarnings("NullAway.Init")
  private static String id;

  @SuppressWarnings("NullAway.Init")
  private static String other;

  /** An allocator with a full history. */
  @SuppressWarnings("NullAway.Init")
  private static String live;

  @SuppressWarnings("NullAway.Init")
  private static String run;

  @SuppressWarnings("NullAway.Init")
  private static String log;

  @SuppressWarnings("NullAway.Init")
  private static String compiled;

  /** A program at seven sizes. */
  @SuppressWarnings("NullAway.Init")
  private static String sizes;

  /** A dump of a pool of XLA. */
  @SuppressWarnings("NullAway.Init")
  private static String pool;

  @SuppressWarnings("NullAway.Init")
  private static String profile;

  /** The same program at batch 2, and at batch 3. */
  @SuppressWarnings("NullAway.Init")
  private static String small;

  @SuppressWarnings("NullAway.Init")
  private static String larger;

  @BeforeAll
  static void store() {
    small = uploaded("scale/batch/batch2_length512.pickle.gz");
    larger = uploaded("scale/batch/batch3_length512.pickle.gz");
    compiled = uploaded("xla/jax_remat_scan/memory_analysis.txt");
    sizes = uploaded("xla/jax_sizes/mlp_batch.txt");
    pool = uploaded("xla/tf_bfc_full/memory.dump");
    profile = uploaded("xla/jax_gpu_oom/before.pb.gz");
    byte[] longLog = longLog().getBytes(StandardCharsets.UTF_8);
    log = Json.of(server.post("/api/v1/explain", longLog, "Accept", JSON)).path("id").asString();
    id = recorded("leak");
    other = recorded("training-varying");
    String allocator = allocatorWithHistory("training-varying");
    live = allocator.substring(ALLOCATORS.length() + 1);
    run = Json.of(server.get(allocator + "/workloads")).get(0).get("id").asString();
    server.post(allocator + "/latency", new byte[0]);
    endLiveWork();
  }

  private static String uploaded(String file) {
    return Json.of(server.post("/api/v1/snapshots", TestData.file(file))).get("id").asString();
  }

  private static String recorded(String workload) {
    String allocator = allocatorWithHistory(workload);
    String snapshot =
        Json.of(server.post(allocator + "/snapshot", new byte[0])).get("id").asString();
    server.delete(allocator);
    return snapshot;
  }

  /** Records 100,000 to 200,000 events, and returns the path of the allocator. */
  private static String allocatorWithHistory(String workload) {
    String device =
        "{\"device\":\"sim:24GiB\",\"history\":{\"recording\":\"all\",\"events\":200000}}";
    String allocator = ALLOCATORS + "/" + json(ALLOCATORS, device).get("id").asLong();
    String started =
        allocator
            + "/workloads/"
            + json(allocator + "/workloads", "{\"workload\":\"" + workload + "\"}")
                .get("id")
                .asLong();
    await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> Json.of(server.get(started)),
            now ->
                now.get("allocations").asLong() >= 100_000
                    || !now.get("state").asString().equals("running"));
    server.delete(started);
    return allocator;
  }

  private static JsonNode json(String path, String body) {
    return Json.of(server.post(path, body.getBytes(StandardCharsets.UTF_8), "Content-Type", JSON));
  }

  /** The most expensive valid requests where the endpoint alone is not one. */
  private static Map<String, String> queries() {
    return Map.ofEntries(
        Map.entry("/compare", "?a=" + id + "&b=" + other),
        Map.entry("/compiled/compare", "?a=" + compiled + "&b=" + compiled),
        Map.entry("/api/v1/compiled/compare", "?a=" + compiled + "&b=" + compiled),
        Map.entry("/compiled/plan", "?program=" + sizes + "&at=512&memory=80GiB"),
        Map.entry("/api/v1/compiled/plan", "?program=" + sizes + "&at=512&memory=80GiB"),
        Map.entry("/series", "?id=" + id + "&id=" + other),
        Map.entry("/api/v1/series", "?id=" + id + "&id=" + other),
        Map.entry("/plan", "?name=batch&id=" + small + "&value=2&id=" + larger + "&value=3"),
        Map.entry("/snapshots/{id}/oom", "?replays=true"),
        Map.entry("/snapshots/{id}/whatif", "?find=best&total=24GiB"),
        Map.entry("/snapshots/{id}/whatif/rows", "?find=best&total=23GiB"),
        Map.entry("/snapshots/{id}/events", "?text=zzz"),
        Map.entry("/api/v1/snapshots/{id}/oom", "?replays=true"),
        Map.entry("/api/v1/snapshots/{id}/events", "?text=zzz"),
        Map.entry("/api/v1/snapshots/{id}/export", "?format=jsonl"),
        Map.entry("/api/v1/snapshots/{id}/profile", "?profile=" + profile),
        Map.entry("/api/v1/snapshots/{id}/search", "?text=a"),
        Map.entry("/api/v1/snapshots/{id}/timeline/rest", "?event=1000&below=1"),
        Map.entry("/api/v1/snapshots/{id}/lab", "?events=5000"),
        Map.entry("/api/v1/snapshots/{id}/diff", "?other=" + other + "&limit=5000"),
        Map.entry("/api/v1/snapshots/{id}/diff/flame", "?other=" + other),
        Map.entry("/api/v1/snapshots/{id}/range", "?from=0&to=90000"));
  }

  private static String longLog() {
    return """
    torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1 GiB. GPU 0 has a total \
    capacity of 79 GiB of which 1 GiB is free.
    """
        .repeat(60_000);
  }

  private static Map<String, String> bodies() {
    String script =
        IntStream.range(0, 20_000)
            .mapToObj(k -> "malloc " + k + " " + 512 * (k % 300 + 1) + " 0")
            .collect(Collectors.joining("\\n"));
    String side = "{\"allocator\":\"caching\",\"settings\":\"\",\"deviceBytes\":\"8GiB\"}";
    String lab =
        "{\"sides\":[" + side + "," + side + "],\"from\":19900,\"script\":\"" + script + "\"}";
    return Map.ofEntries(
        Map.entry("/live", "device=sim:8GiB&kind=caching"),
        Map.entry("/live/{id}/empty-cache", ""),
        Map.entry("/live/{id}/latency", ""),
        Map.entry("/live/{id}/snapshot", ""),
        Map.entry("/live/{id}/workloads", "workload=training-varying"),
        Map.entry(ALLOCATORS, "{\"device\":\"sim:8GiB\"}"),
        Map.entry(ALLOCATORS + "/{id}/blocks", "{\"bytes\":734003200}"),
        Map.entry(ALLOCATORS + "/{id}/empty-cache", ""),
        Map.entry(ALLOCATORS + "/{id}/latency", ""),
        Map.entry(ALLOCATORS + "/{id}/snapshot", ""),
        Map.entry(ALLOCATORS + "/{id}/sync", ""),
        Map.entry(ALLOCATORS + "/{id}/workloads", "{\"workload\":\"training-varying\"}"),
        Map.entry("/api/v1/lab/run", lab),
        Map.entry("/api/v1/lab/trace", lab),
        Map.entry("/api/v1/lab/snapshot", lab),
        Map.entry("/api/v1/explain", longLog()),
        Map.entry("/explain", "text=" + longLog()),
        Map.entry(
            "/api/v1/snapshots",
            new String(JsonSnapshots.file(1, 50_000, 10), StandardCharsets.UTF_8)),
        Map.entry(
            "/api/v1/plans",
            """
            {"runs": [{"snapshot": "%s", "values": {"batch": 2}},
                      {"snapshot": "%s", "values": {"batch": 3}}],
             "find": "batch", "totalBytes": [25769803776],
             "settings": ["recorded", "expandable_segments:True", "max_split_size_mb:128"]}\
            """
                .formatted(small, larger)),
        Map.entry(
            "/api/v1/snapshots/{id}/whatif",
            "{\"settings\":[\"recorded\",\"expandable_segments:True\"],\"totalBytes\":25769803776}"));
  }

  @Test
  void noExpensiveRequestDelaysTheOthers() throws Exception {
    List<Long> liveness = new ArrayList<>();
    List<Long> pages = new ArrayList<>();
    List<Endpoint> expensive = expensive();
    assertThat(bodies().keySet())
        .as("add an example of an expensive request")
        .containsAll(
            expensive.stream()
                .filter(endpoint -> !endpoint.isGet())
                .map(Endpoint::pattern)
                .toList());
    for (int i = 0; i < expensive.size(); i += TestExtent.of(4, 1)) {
      Endpoint endpoint = expensive.get(i);
      Storm storm = new Storm(endpoint.toString(), () -> request(endpoint));
      server.bean("snapshotCache", SnapshotCache.class).evict(id);
      server.bean("snapshotCache", SnapshotCache.class).evict(other);
      storm.runInTime();
      endLiveWork();
      liveness.addAll(storm.liveness);
      pages.addAll(storm.pages);
    }
    System.out.printf(
        Locale.ROOT,
        "R6: liveness p99 %d ms of %d, pages of others p99 %d ms of %d%n",
        percentile(liveness, 99),
        liveness.size(),
        percentile(pages, 99),
        pages.size());
    assertThat(percentile(liveness, 99)).isLessThan(MAX_LIVENESS_MILLIS);
    assertThat(percentile(pages, 99)).isLessThan(MAX_PAGE_MILLIS);
  }

  /** Ends what the requests began: a storm of one endpoint is not to slow that of the next. */
  private static void endLiveWork() {
    for (JsonNode allocator : Json.of(server.get(ALLOCATORS))) {
      String path = ALLOCATORS + "/" + allocator.get("id").asString();
      if (!path.endsWith("/" + live)) {
        server.delete(path);
      }
    }
    String path = ALLOCATORS + "/" + live;
    for (JsonNode started : Json.of(server.get(path + "/workloads"))) {
      server.delete(path + "/workloads/" + started.get("id").asString());
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> server.get(path + "/latency"),
            answer ->
                answer.statusCode() == 404
                    || Json.of(answer).hasNonNull("report")
                    || Json.of(answer).hasNonNull("failure"));
  }

  private static List<Endpoint> expensive() {
    return Endpoints.of(server).stream()
        .filter(endpoint -> endpoint.isGet() || endpoint.method().equals("POST"))
        .filter(endpoint -> !NOT_EXPENSIVE.contains(endpoint.toString()))
        .toList();
  }

  /** What is known of a snapshot does not make every question about it a quick one. */
  @Test
  void questionsThatDifferTakeTurnsEach() throws Exception {
    String api = "/api/v1/snapshots/" + id;
    for (String path : List.of("/snapshots/" + id + "/oom", api + "/oom", api + "/lab?events=5")) {
      assertThat(server.get(path, "Accept", "text/html, */*").statusCode()).isEqualTo(200);
    }
    for (String path :
        List.of("/snapshots/" + id + "/oom?replays=true&n=0", api + "/lab?events=5000")) {
      new Storm("GET " + path, () -> server.get(path, "Accept", "text/html, */*")).runInTime();
    }
    String head = api + "/oom?replays=true&n=0&device=0";
    new Storm("HEAD " + head, () -> server.head(head)).runInTime();
  }

  private static HttpResponse<byte[]> request(Endpoint endpoint) {
    String path = path(endpoint.pattern());
    if (endpoint.isGet()) {
      return server.get(
          path + queries().getOrDefault(endpoint.pattern(), ""),
          "Accept",
          path.startsWith("/api/") ? "*/*" : "text/html");
    }
    String body = bodies().getOrDefault(endpoint.pattern(), "");
    String type =
        !path.startsWith("/api/")
            ? "application/x-www-form-urlencoded"
            : body.startsWith("{") ? JSON : "text/plain";
    return server.post(path, body.getBytes(StandardCharsets.UTF_8), "Content-Type", type);
  }

  private static String path(String pattern) {
    Matcher variables = VARIABLE.matcher(pattern);
    return variables.replaceAll(
        found ->
            switch (found.group(1)) {
              case "id" ->
                  pattern.matches(".*/snapshots/\\{id}/(bins|profile)")
                      ? pool
                      : pattern.contains("compiled/{id}")
                          ? compiled
                          : pattern.contains("snapshots/{id}")
                              ? id
                              : pattern.contains("logs/{id}")
                                  ? log
                                  : pattern.matches(".*/(live|allocators)/.*")
                                      ? live
                                      : "caching-block";
              case "run" -> run;
              default -> "0";
            });
  }

  private static long percentile(List<Long> values, int percent) {
    List<Long> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((int) Math.min(sorted.size() - 1L, (long) sorted.size() * percent / 100));
  }

  /** Requests to one endpoint, and others beside them. */
  private static final class Storm {
    private final String name;
    private final Callable<HttpResponse<byte[]>> request;
    private final List<Long> liveness = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> pages = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> statuses = new ArrayList<>();
    private long millis;

    Storm(String name, Callable<HttpResponse<byte[]>> request) {
      this.name = name;
      this.request = request;
    }

    /** Runs, with the limits of one endpoint. */
    void runInTime() throws Exception {
      run();
      System.out.print(figures());
      assertThat(Collections.max(liveness))
          .as("liveness beside %s", name)
          .isLessThan(MAX_OF_ENDPOINT_MILLIS);
      assertThat(Collections.max(pages))
          .as("pages beside %s", name)
          .isLessThan(MAX_OF_ENDPOINT_MILLIS);
    }

    void run() throws Exception {
      AtomicBoolean isOver = new AtomicBoolean();
      List<HttpResponse<byte[]>> answers = new ArrayList<>();
      long begin = System.nanoTime();
      try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<HttpResponse<byte[]>>> expensive = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          expensive.add(clients.submit(request));
        }
        Future<?> probes =
            clients.submit(() -> probe("/actuator/health/liveness", liveness, isOver));
        Future<?> readers = clients.submit(() -> probe("/snapshots", pages, isOver));
        try {
          for (Future<HttpResponse<byte[]>> request : expensive) {
            answers.add(request.get());
          }
        } finally {
          isOver.set(true);
        }
        millis = (System.nanoTime() - begin) / 1_000_000;
        probes.get();
        readers.get();
      }
      answers.forEach(this::check);
    }

    private void check(HttpResponse<byte[]> answer) {
      statuses.add(answer.statusCode());
      if (answer.statusCode() == 503) {
        assertThat(answer.headers().firstValue("Retry-After")).as(name).isPresent();
      } else {
        assertThat(answer.statusCode())
            .as(
                "%s: add an example of an expensive request to this test; %s",
                name, new String(answer.body(), StandardCharsets.UTF_8))
            .isLessThan(400);
      }
    }

    private static int status(String path) {
      try {
        HttpRequest request =
            HttpRequest.newBuilder(server.at(path)).header("Accept", "text/html, */*").build();
        return OTHER_CLIENT.send(request, BodyHandlers.ofByteArray()).statusCode();
      } catch (IOException | InterruptedException failed) {
        throw new AssertionError("a probe failed", failed);
      }
    }

    private static void probe(String path, List<Long> millis, AtomicBoolean isOver) {
      do {
        long begin = System.nanoTime();
        assertThat(status(path)).isEqualTo(200);
        millis.add((System.nanoTime() - begin) / 1_000_000);
        LockSupport.parkNanos(20_000_000);
      } while (!isOver.get());
    }

    String figures() {
      return String.format(
          Locale.ROOT,
          "%-60s %6d ms %s, liveness at most %d ms, pages %d ms%n",
          name,
          millis,
          Set.copyOf(statuses),
          Collections.max(liveness),
          Collections.max(pages));
    }
  }
}
