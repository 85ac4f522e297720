package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every accepted file can be analysed in the same heap; a larger one is rejected. */
class HeapIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init")
  private static ChildServer server;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    server = ChildServer.start(List.of("-Xmx256m"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void acceptedFileWithManySitesIsAnalysed() throws Exception {
    HttpResponse<String> stored = post(fileOfSites(300_000));
    assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
    String id = Json.of(stored.body()).path("id").asString();
    for (Tab tab : Tab.values()) {
      String path = "/snapshots/" + id + tab.path();
      assertThat(get(path).statusCode()).as(path).isEqualTo(200);
    }
    assertThat(get("/api/v1/snapshots/" + id + "/sites").statusCode()).isEqualTo(200);
    assertThat(server.log()).doesNotContain("OutOfMemoryError");
  }

  @Test
  void fileWithTooManySitesIsRejectedBeforeTheHeapIsFull() throws Exception {
    HttpResponse<String> answer = post(fileOfSites(600_000));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
    JsonNode problem = Json.of(answer.body());
    assertThat(problem.path("detail").asString())
        .containsPattern("ore than \\d+ (distinct frames|MiB of heap)");
    assertThat(problem.path("where").asString()).contains("byte ");
    assertThat(problem.path("next").asString()).contains("larger heap");
    assertThat(server.log()).doesNotContain("OutOfMemoryError");
  }

  private Path fileOfSites(int count) throws IOException {
    Path file = folder.resolve(count + ".json");
    try (OutputStream out = Files.newOutputStream(file)) {
      StringBuilder text = new StringBuilder("{\"segments\": [], \"device_traces\": [[");
      for (int i = 0; i < count; i++) {
        text.append(i == 0 ? "" : ",")
            .append("{\"action\":\"alloc\",\"addr\":")
            .append(512L * i + 4096)
            .append(",\"size\":512,\"frames\":[{\"name\":\"f")
            .append(i)
            .append("\",\"filename\":\"t.py\",\"line\":1}]}");
        if (text.length() > 1 << 16) {
          out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
          text.setLength(0);
        }
      }
      out.write(text.append("]]}").toString().getBytes(StandardCharsets.US_ASCII));
    }
    return file;
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(HttpRequest.newBuilder(server.at(path)).build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(Path file) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(server.at("/api/v1/snapshots"))
            .POST(BodyPublishers.ofFile(file))
            .build(),
        BodyHandlers.ofString());
  }
}
