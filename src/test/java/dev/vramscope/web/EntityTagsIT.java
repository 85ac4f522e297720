package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers about a snapshot that a browser keeps, and asks for again with their tag. */
class EntityTagsIT extends OnServer {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String api(String shape) {
    return "/api/v1/snapshots/" + shapes.get(shape);
  }

  private static String tagOf(HttpResponse<?> answer) {
    return answer.headers().firstValue("ETag").orElse("");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/timeline?from=1&to=9&width=300&height=100",
        "/timeline/rest?event=3&below=1000000",
        "/segment-timeline?width=300&height=100",
        "/segments?event=4",
        "/search?text=a",
        "/events/3",
        "/events?limit=5",
        "/flame",
        "/range"
      })
  void sameAnswerIsNotSentAgain(String query) {
    String path = api(SampleFiles.HEALTHY) + query;
    HttpResponse<byte[]> first = server.get(path);
    assertThat(first.statusCode()).as(path).isEqualTo(200);
    assertThat(tagOf(first)).startsWith("W/\"");
    assertThat(first.headers().firstValue("Cache-Control")).hasValue("private, no-cache");
    HttpResponse<byte[]> again = server.get(path, "If-None-Match", tagOf(first));
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(tagOf(again)).isEqualTo(tagOf(first));
    HttpResponse<byte[]> ofOtherProcess = server.get(path, "If-None-Match", "W/\"1\"");
    assertThat(ofOtherProcess.statusCode()).isEqualTo(200);
    assertThat(ofOtherProcess.body()).isEqualTo(first.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\"", "W/", "\"a", "W/\"a, b", "*", ",,"})
  void malformedTagsAreOtherTags(String tag) {
    HttpResponse<byte[]> answer =
        server.get(api(SampleFiles.HEALTHY) + "/timeline", "If-None-Match", tag);
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @Test
  void errorsHaveNoTag() {
    for (String query :
        new String[] {"/timeline?from=9&to=1", "/timeline?width=0", "/events/999999999"}) {
      HttpResponse<byte[]> error = server.get(api(SampleFiles.HEALTHY) + query);
      assertThat(error.statusCode()).as(query).isIn(400, 404);
      assertThat(tagOf(error)).isEmpty();
    }
  }

  @Test
  void whatChangesHasNoTag() {
    for (String path : new String[] {"", "/oom", "/whatif/defaults", "/summary"}) {
      assertThat(tagOf(server.get(api(SampleFiles.HEALTHY) + path))).as(path).isEmpty();
    }
  }

  @Test
  void deletedSnapshotIsNotFound() {
    byte[] file =
        "{\"segments\": [{\"address\": 77, \"total_size\": 512}]}".getBytes(StandardCharsets.UTF_8);
    String id = Json.of(server.post("/api/v1/snapshots?name=short", file)).path("id").asString();
    String path = "/api/v1/snapshots/" + id + "/segments";
    String tag = tagOf(server.get(path));
    assertThat(server.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    server.delete("/api/v1/snapshots/" + id);
    assertThat(server.get(path, "If-None-Match", tag).statusCode()).isEqualTo(404);
  }
}
