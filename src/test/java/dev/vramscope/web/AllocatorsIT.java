package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Hosted allocators over HTTP, on simulated devices. */
class AllocatorsIT {
  private static final String ALLOCATORS = "/api/v1/allocators";
  private static final int THREADS = 16;

  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  @BeforeAll
  static void start() {
    server =
        LocalServer.start(
            "--vramscope.live.max-allocators=40", "--vramscope.live.max-simulated-device=64GB");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<byte[]> post(String path, String json) {
    return server.post(
        path, json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
  }

  private static String host(String json) {
    HttpResponse<byte[]> answer = post(ALLOCATORS, json);
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(201);
    String location = answer.headers().firstValue("Location").orElseThrow();
    assertThat(location).isEqualTo(ALLOCATORS + "/" + Json.of(answer).path("id").asLong());
    return location;
  }

  private static String text(HttpResponse<byte[]> answer) {
    return PageText.of(answer);
  }

  private static JsonNode totals(String allocator) {
    return Json.of(server.get(allocator)).path("totals");
  }

  @Test
  void allocatesRecordsAStreamAndFrees() {
    String allocator = host("{\"device\":\"sim:1GiB\",\"name\":\"blocks\"}");
    HttpResponse<byte[]> allocated =
        post(allocator + "/blocks", "{\"bytes\":3000000,\"stream\":1,\"scope\":\"weights\"}");
    assertThat(allocated.statusCode()).isEqualTo(201);
    String handle = Json.of(allocated).path("block").asString();
    assertThat(handle).matches("0x[0-9a-f]+");
    assertThat(Json.of(allocated).path("address").asString()).matches("0x1000[0-9a-f]+");
    String block = allocator + "/blocks/" + handle;
    assertThat(allocated.headers().firstValue("Location")).hasValue(block);
    assertThat(totals(allocator).path("requestedBytes").asLong()).isEqualTo(3_000_000);

    assertThat(post(block + "/streams", "{\"stream\":2}").statusCode()).isEqualTo(204);
    assertThat(server.delete(block).statusCode()).isEqualTo(204);
    assertThat(totals(allocator).path("allocatedBytes").asLong()).isZero();
    assertProblem(server.delete(block), 404, "No client holds the block " + handle);
    assertProblem(post(block + "/streams", "{\"stream\":2}"), 404, handle);

    assertThat(post(allocator + "/sync", "").statusCode()).isEqualTo(204);
    JsonNode emptied = Json.of(post(allocator + "/empty-cache", ""));
    assertThat(emptied.path("totals").path("reservedBytes").asLong()).isZero();
    assertThat(server.delete(allocator).statusCode()).isEqualTo(204);
    assertProblem(server.get(allocator), 410, "was closed");
    assertProblem(server.delete(allocator), 410, "was closed");
    assertProblem(post(allocator + "/blocks", "{\"bytes\":1}"), 410, "was closed");
  }

  @Test
  void storesAnOutOfMemoryAndRemainsUsable() {
    String allocator = host("{\"device\":\"sim:1GiB\",\"name\":\"training-test\"}");
    post(allocator + "/blocks", "{\"bytes\":734003200,\"scope\":\"weights\"}");
    HttpResponse<byte[]> failed =
        post(allocator + "/blocks", "{\"bytes\":629145600,\"scope\":\"forward/layer 3\"}");

    assertProblem(failed, 507, "CUDA out of memory. Tried to allocate 600.00 MiB.");
    String page = Json.of(failed).path("instance").asString();
    assertThat(page).matches("/snapshots/[0-9a-f]{16}/oom\\?n=0&total=1073741824");
    assertThat(server.text(page)).contains("What happened", "forward/layer 3", "600 MiB");
    assertThat(server.text("/"))
        .contains("training-test", "href=\"" + page.replace("&", "&amp;") + "\"");
    JsonNode stored =
        Json.of(server.get("/api/v1/snapshots?job=training-test&label=oom"))
            .path("snapshots")
            .get(0);
    assertThat(page).contains(stored.path("id").asString());
    // The original has the format of PyTorch: uploading it again finds the same snapshot.
    byte[] original = server.get(originalOf(stored)).body();
    HttpResponse<byte[]> again = server.post("/api/v1/snapshots", original);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(Json.of(again).path("id")).isEqualTo(stored.path("id"));

    HttpResponse<byte[]> second = post(allocator + "/blocks", "{\"bytes\":629145600}");
    assertProblem(second, 507, "Not stored: too soon after another failure");
    assertThat(Json.of(second).has("instance")).isFalse();
    assertThat(post(allocator + "/blocks", "{\"bytes\":104857600}").statusCode()).isEqualTo(201);
    JsonNode shown = Json.of(server.get(allocator));
    assertThat(shown.path("incidentCount").asInt()).isEqualTo(2);
    assertThat(shown.path("incidents").get(1).path("page").asString()).isEqualTo(page);
    assertThat(shown.path("incidents").get(0).has("page")).isFalse();

    // A later snapshot explains the second failure as well.
    String later = Json.of(post(allocator + "/snapshot", "")).path("id").asString();
    JsonNode newest = Json.of(server.get(allocator)).path("incidents").get(0);
    assertThat(newest.path("page").asString())
        .isEqualTo("/snapshots/" + later + "/oom?n=1&total=1073741824");
    String event = newest.path("event").asString();
    assertThat(newest.path("eventPage").asString())
        .isEqualTo("/snapshots/" + later + "/timeline?event=" + event);
    assertThat(server.text(newest.path("page").asString())).contains("event " + event);
    // A link to a deleted snapshot would be broken.
    server.delete("/api/v1/snapshots/" + later);
    newest = Json.of(server.get(allocator)).path("incidents").get(0);
    assertThat(newest.has("page")).isFalse();
    assertThat(newest.path("snapshotNote").asString()).isEqualTo("Its snapshot was deleted.");
    server.delete(allocator);
  }

  private static String originalOf(JsonNode stored) {
    return "/api/v1/snapshots/" + stored.path("id").asString() + "/original";
  }

  @Test
  void reportsAFailureWhenItsStateCannotBeStored() {
    try (LocalServer full = LocalServer.start("--vramscope.min-free=1000000GB")) {
      byte[] request = "{\"device\":\"sim:1GiB\"}".getBytes(StandardCharsets.UTF_8);
      String allocator =
          full.post(ALLOCATORS, request, "Content-Type", "application/json")
              .headers()
              .firstValue("Location")
              .orElseThrow();
      byte[] tooMuch = "{\"bytes\":2147483648}".getBytes(StandardCharsets.UTF_8);
      String blocks = allocator + "/blocks";
      HttpResponse<byte[]> failed = full.post(blocks, tooMuch, "Content-Type", "application/json");
      assertProblem(failed, 507, "CUDA out of memory. Tried to allocate 2.00 GiB.");
      assertThat(Json.of(failed).path("next").asString())
          .contains("The state could not be stored", "are kept in reserve");
      assertThat(Json.of(failed).has("instance")).isFalse();
      byte[] little = "{\"bytes\":1000}".getBytes(StandardCharsets.UTF_8);
      assertThat(full.post(blocks, little, "Content-Type", "application/json").statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void storesASnapshotOnRequest() {
    String allocator = host("{\"device\":\"sim:2GiB\",\"name\":\"snapshot test\"}");
    post(allocator + "/blocks", "{\"bytes\":5000000,\"scope\":\"gradients\"}");
    HttpResponse<byte[]> taken = post(allocator + "/snapshot", "");
    assertThat(taken.statusCode()).isEqualTo(201);
    String snapshot = taken.headers().firstValue("Location").orElseThrow();
    assertThat(Json.of(server.get(snapshot)).path("allocatedBytes").asLong())
        .isEqualTo(totals(allocator).path("allocatedBytes").asLong());
    assertThat(server.text(Json.of(taken).path("page").asString() + "/sites"))
        .contains("gradients");
    server.delete(allocator);
  }

  @Test
  void countersHaveTheNamesOfPyTorchAndJax() {
    String caching = host("{\"device\":\"sim:1GiB\"}");
    post(caching + "/blocks", "{\"bytes\":1000}");
    assertThat(Json.of(server.get(caching + "/stats")).path("requested_bytes.all.current").asLong())
        .isEqualTo(1000);
    assertThat(server.text(caching + "/stats", "Accept", "text/plain"))
        .contains("PyTorch CUDA memory summary, device ID 0");
    String bfc = host("{\"device\":\"sim:1GiB\",\"kind\":\"bfc\"}");
    post(bfc + "/blocks", "{\"bytes\":1000}");
    JsonNode stats = Json.of(server.get(bfc + "/stats"));
    assertThat(stats.path("bytes_in_use").asLong()).isEqualTo(1024);
    assertThat(stats.path("pool_bytes").asLong()).isEqualTo(805306368);
    assertThat(server.text(bfc + "/stats", "Accept", "text/plain")).contains("MaxInUse:");
    String direct = host("{\"device\":\"sim:1GiB\",\"kind\":\"direct\"}");
    post(direct + "/blocks", "{\"bytes\":1000}");
    assertThat(Json.of(server.get(direct + "/stats")).path("allocated_bytes").asLong())
        .isEqualTo(1000);
    assertThat(server.text(direct + "/stats", "Accept", "text/plain")).contains("num_ooms");
    List.of(caching, bfc, direct).forEach(server::delete);
  }

  @Test
  void driverViewReportsUnknownParts() {
    String allocator = host("{\"device\":\"sim:1GiB\"}");
    post(allocator + "/blocks", "{\"bytes\":2097152}");
    JsonNode view = Json.of(server.get(allocator + "/driver"));
    assertThat(view.path("totalBytes").asLong()).isEqualTo(1L << 30);
    assertThat(view.path("freeBytes").asLong() + view.path("reservedBytes").asLong())
        .isEqualTo(1L << 30);
    assertThat(view.path("outside").path("bytes").isNull()).isTrue();
    assertThat(view.path("outside").path("unknown").asString()).contains("simulated");
    server.delete(allocator);
  }

  @Test
  void devicesIncludeTheStateOfTheDriver() {
    JsonNode devices = Json.of(server.get("/api/v1/devices"));
    assertThat(devices.path("driver").path("text").asString()).isNotBlank();
    assertThat(devices.path("driver").path("state").asString())
        .isIn("ready", "missing", "too-old", "failed");
    assertThat(devices.path("simulated").path("device").asString()).isEqualTo("sim:16GiB");
    assertThat(post("/api/v1/devices/refresh", "").statusCode()).isEqualTo(200);
    assertThat(server.text("/")).contains("Simulated device", "Detect again");
    if (devices.path("gpus").isEmpty()) {
      assertProblem(post(ALLOCATORS, "{\"device\":\"cuda:0\"}"), 503, "CUDA driver");
    }
  }

  @Test
  void closingAnAllocatorEndsItsWorkload() {
    String allocator = host("{\"device\":\"sim:8GiB\"}");
    HttpResponse<byte[]> started =
        post(
            allocator + "/workloads",
            "{\"workload\":\"training-varying\",\"scale\":0.05,\"operationsPerSecond\":2000}");
    assertThat(started.statusCode()).as(text(started)).isEqualTo(201);
    String run = started.headers().firstValue("Location").orElseThrow();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Json.of(server.get(run)).path("allocations").asLong() > 0);
    assertThat(Json.of(server.get(allocator + "/workloads"))).hasSize(1);
    JsonNode stopped = Json.of(server.delete(run));
    assertThat(stopped.path("state").asString()).isEqualTo("stopped");
    assertThat(stopped.path("mismatches").asLong()).isZero();
    assertThat(totals(allocator).path("allocatedBytes").asLong()).isZero();
    post(allocator + "/workloads", "{\"workload\":\"fragmenter\",\"scale\":0.05}");
    assertThat(server.delete(allocator).statusCode()).isEqualTo(204);

    String other = host("{\"device\":\"sim:8GiB\"}");
    assertProblem(post(other + "/workloads", "{\"workload\":\"mining\"}"), 400, "mining");
    assertProblem(post(other + "/workloads", "{}"), 400, "There is no workload");
    assertProblem(
        post(other + "/workloads", "{\"workload\":\"leak\",\"scale\":-1}"),
        400,
        "\"where\":\"scale\"");
    assertProblem(
        post(other + "/workloads", "{\"workload\":\"replay-snapshot\",\"snapshot\":\"x\"}"),
        400,
        "x");
    assertProblem(server.get(other + "/workloads/77"), 404, "no run 77");
    server.delete(other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"settings\":\"expandable_segment:True\"} | settings | Unrecognized key",
        "{\"settings\":\"max_split_size_mb:1\"} | settings | must be >= 20",
        "{\"kind\":\"bfc\",\"settings\":\"growth=1\"} | settings | has no option 'growth'",
        "{\"kind\":\"direct\",\"settings\":\"x\"} | settings | has no settings",
        "{\"kind\":\"slab\"} | kind | There is no allocator kind 'slab'",
        "{\"device\":\"gpu\"} | device | is not a device",
        "{\"device\":\"sim:-1\"} | device | is not a simulated device",
        "{\"device\":\"sim:65GiB\"} | device | too large",
        "{\"device\":\"sim:1B\"} | device | At least 2MiB",
        "{\"history\":{\"events\":0}} | history.events | 0",
        "{\"history\":{\"events\":100000001}} | history.events | 100000001",
        "{\"history\":{\"events\":1000001}} | history.events | too long",
        "{\"history\":{\"events\":99999999999}} | history.events | 32 bits",
        "{\"history\":{\"contexts\":\"x\"}} | history.contexts | x",
        "{\"history\":[]} | history | not an object",
        "{\"nome\":\"x\"} | nome | Unknown member 'nome'",
        "{\"history\":{\"events\":1,\"events\":2}} | line 1 | The member 'events' is there more"
            + " than once",
        "{\"name\":{}} | name | not a string",
        "{\"name\":\"a\\u0000b\"} | name | U+0000",
        "{\"name\":\"a\\u202eb\"} | name | U+202E",
        "{nonsense | line 1 | not JSON",
        "[] | body | not an object",
        "null | body | no readable body",
        "'' | body | no readable body"
      })
  void rejectsInvalidAllocatorRequests(String json, String where, String what) {
    HttpResponse<byte[]> answer = post(ALLOCATORS, json);
    assertProblem(answer, 400, what);
    assertThat(Json.of(answer).path("where").asString()).contains(where);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | bytes is missing",
        "{\"bytes\":0} | bytes is 0",
        "{\"bytes\":-1} | bytes is -1",
        "{\"bytes\":9223372036854775807} | bytes is 9223372036854775807",
        "{\"bytes\":9223372036854775808} | 64 bits",
        "{\"bytes\":1.5} | not a whole number",
        "{\"bytes\":\"x\"} | x' is not a whole number",
        "{\"bytes\":[1]} | not a whole number",
        "{\"bytes\":10,\"stream\":-1} | no stream -1",
        "{\"bytes\":10,\"stream\":64} | no stream 64",
        "{\"bytes\":10,\"stream\":2147483648} | 32 bits",
        "{\"bytes\":10,\"streem\":1} | Unknown member 'streem'"
      })
  void rejectsInvalidBlockRequests(String json, String what) {
    String allocator = host("{\"device\":\"sim:1GiB\"}");
    assertProblem(post(allocator + "/blocks", json), 400, what);
    assertThat(totals(allocator).path("allocationCount").asLong()).isZero();
    server.delete(allocator);
  }

  @Test
  void unknownIdsAreNotFound() {
    assertProblem(server.get(ALLOCATORS + "/0"), 404, "Allocator 0 has not existed");
    assertProblem(server.delete(ALLOCATORS + "/9223372036854775807"), 404, "has not existed");
    assertProblem(server.get(ALLOCATORS + "/9223372036854775808"), 400, "is out of range");
    assertProblem(server.get(ALLOCATORS + "/one/stats"), 400, "not a whole number");
    String allocator = host("{\"device\":\"sim:1GiB\"}");
    assertProblem(server.delete(allocator + "/blocks/0x1"), 404, "0x1");
    assertProblem(server.delete(allocator + "/blocks/0"), 400, "block");
    assertProblem(server.delete(allocator + "/blocks/0x11111111111111111"), 400, "block");
    HttpResponse<byte[]> huge = post(allocator + "/blocks", "{\"bytes\":4611686018427387904}");
    assertProblem(huge, 507, "out of memory");
    server.delete(allocator);
  }

  @Test
  void sixteenConcurrentClientsLeaveNothingAllocated() throws Exception {
    AtomicInteger unexpected = new AtomicInteger();
    AtomicInteger served = new AtomicInteger();
    String shared = host("{\"device\":\"sim:1GiB\",\"name\":\"shared\"}");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        clients.add(threads.submit(() -> sendRequests(random, shared, served, unexpected)));
      }
      for (Future<?> client : clients) {
        client.get(120, TimeUnit.SECONDS);
      }
    }
    assertThat(unexpected).hasValue(0);
    assertThat(served.get()).isGreaterThan(THREADS * 10);
    server.delete(shared);
    assertThat(Json.of(server.get(ALLOCATORS))).noneMatch(AllocatorsIT::isOfThisTest);
    assertThat(server.get("/").statusCode()).isEqualTo(200);
  }

  private static boolean isOfThisTest(JsonNode allocator) {
    String name = allocator.path("name").asString();
    return name.equals("shared") || name.equals("own");
  }

  /** Uses the shared allocator and its own, and sometimes closes an id that does not exist. */
  private static void sendRequests(
      SplittableRandom random, String shared, AtomicInteger served, AtomicInteger unexpected) {
    for (int round = 0; round < 4; round++) {
      HttpResponse<byte[]> created =
          post(ALLOCATORS, "{\"device\":\"sim:256MiB\",\"name\":\"own\"}");
      count(created, served, unexpected);
      String own = created.headers().firstValue("Location").orElse(shared);
      for (int i = 0; i < 12; i++) {
        String target = random.nextBoolean() ? own : shared;
        HttpResponse<byte[]> block =
            post(target + "/blocks", "{\"bytes\":" + random.nextLong(1, 64L << 20) + "}");
        count(block, served, unexpected);
        if (block.statusCode() == 201 && random.nextInt(4) > 0) {
          count(
              server.delete(block.headers().firstValue("Location").orElseThrow()),
              served,
              unexpected);
        }
        if (random.nextInt(8) == 0) {
          count(server.delete(ALLOCATORS + "/" + random.nextInt(2, 40)), served, unexpected);
        }
      }
      if (!own.equals(shared)) {
        count(server.delete(own), served, unexpected);
      }
    }
  }

  private static void count(
      HttpResponse<byte[]> answer, AtomicInteger served, AtomicInteger unexpected) {
    switch (answer.statusCode()) {
      case 201, 204 -> served.incrementAndGet();
      case 404, 409, 410, 507 -> {}
      default -> unexpected.incrementAndGet();
    }
  }
}
