package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Every hostile file through HTTP, against a server with half a GiB of heap: each gets the response
 * that INDEX.md specifies, a rejected file is not stored, and the server continues to serve.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileIT {
  /** Turns a hang into a failure. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Files that are valid or harmless according to INDEX.md. */
  private static final Set<String> ACCEPTED = Set.of("h13", "h38", "h60", "h61", "h62");

  /** Files that may be accepted or rejected. */
  private static final Set<String> EITHER =
      Set.of("h20", "h39", "h40", "h46", "h47", "h52", "h55", "h56", "h57", "h64");

  /** Files whose rejection must name an opcode and its offset. */
  private static final Set<String> NAMES_OPCODE =
      Set.of("h01", "h02", "h03", "h04", "h06", "h07", "h08", "h10", "h11");

  /** An attribute onerror outside of quoted values; as text or in a quoted value it is harmless. */
  private static final Pattern ELEMENT_WITH_ONERROR =
      Pattern.compile(
          "<[a-zA-Z][^\\s>\"]*+(?:\\s++(?!onerror)[^\\s=>\"]++(?:=\"[^\"]*+\")?+)*+\\s++onerror");

  @SuppressWarnings("NullAway.Init")
  private static ChildServer server;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    server = ChildServer.start(List.of("-Xmx512m"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  static Stream<Path> files() {
    return TestData.files("hostile").stream()
        .filter(file -> file.getFileName().toString().matches("h\\d\\d_.*"));
  }

  @Order(1)
  @ParameterizedTest
  @MethodSource("files")
  void respondsAndDoesNotStoreRejectedFiles(Path file) throws Exception {
    String code = file.getFileName().toString().substring(0, 3);
    long before = total();
    HttpResponse<String> answer = post("/api/v1/snapshots?name=hostile", file);

    boolean stored = answer.statusCode() == 201 || answer.statusCode() == 200;
    if (ACCEPTED.contains(code)) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    } else if (!EITHER.contains(code)) {
      assertThat(answer.statusCode()).as(answer.body()).isIn(413, 422);
    }
    if (stored) {
      assertEveryPageOpens(Json.of(answer.body()).path("id").asString());
    } else {
      assertThat(answer.statusCode()).as(answer.body()).isIn(400, 413, 422);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      JsonNode problem = Json.of(answer.body());
      assertThat(problem.path("detail").asString()).isNotBlank();
      assertThat(problem.path("where").asString()).isNotBlank();
      assertThat(problem.path("next").asString()).isNotBlank();
      if (NAMES_OPCODE.contains(code)) {
        assertThat(problem.path("detail").asString()).containsPattern("[A-Z]{3,}");
        assertThat(problem.path("where").asString()).containsPattern("byte \\d+|offset \\d+");
      }
      assertThat(total()).as("snapshots after a rejection").isEqualTo(before);
    }
    assertThat(server.isAlive()).isTrue();
  }

  @Order(2)
  @Test
  void validFileIsStoredAfterwards() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.at("/api/v1/snapshots"))
            .POST(BodyPublishers.ofByteArray(SampleFiles.gzip(SampleFiles.FRAGMENTED)))
            .build();
    HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertEveryPageOpens(Json.of(answer.body()).path("id").asString());
    assertThat(server.log()).doesNotContain("OutOfMemoryError", "The server failed");
  }

  private static void assertEveryPageOpens(String id) throws Exception {
    for (Tab tab : Tab.values()) {
      String path = "/snapshots/" + id + tab.path();
      HttpResponse<String> page = get(path);
      assertThat(page.statusCode()).as(path).isEqualTo(200);
      assertThat(page.body()).as(path).doesNotContain("<script>alert", "<img src=x");
      assertThat(page.body()).as(path).doesNotContainPattern(ELEMENT_WITH_ONERROR);
      assertThat(page.body().getBytes(StandardCharsets.UTF_8).length).as(path).isLessThan(4 << 20);
    }
  }

  private static long total() throws Exception {
    return Json.of(get("/api/v1/snapshots?limit=1").body()).path("total").asLong();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(server.at(path)).timeout(TIMEOUT).build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path, Path file) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(server.at(path))
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofFile(file))
            .build(),
        BodyHandlers.ofString());
  }
}
