package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The lab by REST. */
class LabApiIT {
  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  @BeforeAll
  static void start() {
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static String body(String settings, String script) {
    ObjectNode request = JsonMapper.shared().createObjectNode();
    request
        .putArray("sides")
        .addObject()
        .put("allocator", "caching")
        .put("settings", settings)
        .put("deviceBytes", "1GiB");
    return request.put("script", script).toString();
  }

  private static HttpResponse<byte[]> post(String path, String body) {
    return server.post(
        path, body.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
  }

  private static JsonNode json(HttpResponse<byte[]> response) {
    return Json.of(new String(response.body(), StandardCharsets.UTF_8));
  }

  @Test
  void aScriptHasAStepForEachOperation() {
    HttpResponse<byte[]> response =
        post("/api/v1/lab/run", body("", "# a step\nmalloc 1 64MiB 0\nfree 1"));
    assertThat(response.statusCode()).isEqualTo(200);
    JsonNode answer = json(response);
    assertThat(answer.path("operations").toString())
        .isEqualTo("[\"# a step\",\"malloc 1 67108864 0\",\"free 1\"]");
    JsonNode steps = answer.at("/sides/0/steps");
    assertThat(steps.size()).isEqualTo(4);
    assertThat(steps.at("/2/changed/0/address").asString()).isEqualTo("0x100000000000");
    assertThat(steps.at("/2/changed/0/blocks/0/state").asString()).isEqualTo("allocated");
    assertThat(steps.at("/2/totals/allocatedBytes").asLong()).isEqualTo(64L << 20);
    assertThat(steps.at("/3/totals/allocatedBytes").asLong()).isZero();
    assertThat(steps.at("/3/totals/reservedBytes").asLong()).isEqualTo(64L << 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | sides is missing",
        "{\"sides\": []} | sides has 0 members",
        "{\"sides\": [null]} | sides[0] is null",
        "{\"sides\": [{\"allocator\": \"caching\"}]} | sides[0] has no deviceBytes",
        "{\"sides\": [{\"allocator\": \"caching\", \"deviceBytes\": \"many\"}]} | is not a size",
        "{\"sides\": [{\"allocator\": \"caching\", \"deviceBytes\": \"1TiB\"}]} |"
            + " 1,099,511,627,776",
        "{\"sides\": [{\"allocator\": \"platform\", \"settings\": \"a:1\", \"deviceBytes\":"
            + " \"1GiB\"}]} | direct allocator has no settings",
        "{\"sides\": [{\"allocator\": \"nedmalloc\", \"deviceBytes\": \"1GiB\"}]} | nedmalloc",
        "{\"sides\": [{\"allocator\": \"bfc\", \"settings\": \"x=1\", \"deviceBytes\": \"1GiB\"}]}"
            + " | no option 'x'",
        "{\"side\": 1} | Unknown member",
      })
  void badRequestsNameTheMember(String body, String detail) {
    HttpResponse<byte[]> response = post("/api/v1/lab/run", body);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).path("detail").asString()).contains(detail);
    assertThat(json(response).path("next").asString()).isNotBlank();
  }

  @Test
  void settingsAndLinesThatAreNotAcceptedAreNamed() {
    JsonNode settings = json(post("/api/v1/lab/run", body("max_split_size_mb:5", "")));
    assertThat(settings.path("where").asString()).isEqualTo("sides[0].settings");
    JsonNode line = json(post("/api/v1/lab/run", body("", "free 1\nfree")));
    assertThat(line.path("where").asString()).isEqualTo("line 2");
    assertThat(line.path("next").asString()).isEqualTo("Write: free ID.");
    HttpResponse<byte[]> side = post("/api/v1/lab/trace?side=3", body("", ""));
    assertThat(side.statusCode()).isEqualTo(400);
  }

  @Test
  void aStateIsStoredWithItsHistoryAndPostMortem() {
    HttpResponse<byte[]> response =
        post(
            "/api/v1/lab/snapshot",
            body("", "# warm up\nmalloc 1 600MiB\n# the step\nmalloc 2 600MiB"));
    assertThat(response.statusCode()).isEqualTo(201);
    String path = response.headers().firstValue("Location").orElseThrow();
    JsonNode oom = Json.of(server.get(path + "/oom"));
    assertThat(oom.at("/verdict/cause").asString()).isEqualTo("TOO_MUCH_LIVE");
    assertThat(server.text("/snapshots/" + json(response).path("id").asString() + "/oom"))
        .contains("the step");
    JsonNode again = Json.of(server.get(path + "/lab?events=3"));
    assertThat(again.path("script").asString()).contains("malloc", "# event ");
    assertThat(again.at("/sides/0/deviceBytes").asString()).isEqualTo("1GiB");
  }

  /** The status that a client gets in the end that comes again when it is told to. */
  private int patientlyPosted(String body) throws InterruptedException {
    while (true) {
      HttpResponse<byte[]> response = post("/api/v1/lab/run", body);
      if (response.statusCode() != 503) {
        return response.statusCode();
      }
      String seconds = response.headers().firstValue("Retry-After").orElseThrow();
      Thread.sleep(Duration.ofSeconds(Long.parseLong(seconds)));
    }
  }

  @Test
  void manyPeopleAtOnce() throws InterruptedException, ExecutionException {
    StringBuilder script = new StringBuilder();
    for (int id = 1; id < 4000; id++) {
      script.append("malloc ").append(id).append(" 100KiB 0\n");
      if (id > 300) {
        script.append("free ").append(id - 300).append('\n');
      }
    }
    String body = body("expandable_segments:True", script.toString());
    int count = TestExtent.of(50, 200);
    try (ExecutorService people = Executors.newFixedThreadPool(count)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        answers.add(people.submit(() -> patientlyPosted(body)));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
  }
}
