package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Clients that leave while their work waits or runs, and clients that fall silent or come back. */
class LeavingClientsIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Together they compute for minutes. */
  private static final int REQUESTS = 60;

  private static final String SILENCE = "--server.tomcat.connection-timeout=3s";
  private static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(5);

  private static LocalServer server;

  @BeforeAll
  static void start() {
    server = LocalServer.start(SILENCE);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void workOfClientsThatLeftIsCancelled() throws Exception {
    byte[] experiment = experiment();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      clients.add(send(experiment));
    }
    await("most wait").atMost(SOON).until(() -> load("waiting") > REQUESTS / 2);
    assertThat(load("started")).isPositive();
    for (RawClient client : clients) {
      client.close();
    }
    await("nobody waits or computes")
        .atMost(SOON)
        .until(() -> load("waiting") + load("started") == 0);
  }

  @Test
  void clientThatSendsNothingMoreGets408() throws Exception {
    try (RawClient silent = RawClient.connect(server.at("/"))) {
      silent.beginUpload(1_000_000).send("{\"segments\": [");
      assertThat(silent.response(SOON))
          .startsWith("HTTP/1.1 408")
          .contains("server.tomcat.connection-timeout");
    }
  }

  @Test
  void connectionBetweenTwoRequestsStaysOpenLonger() throws Exception {
    try (RawClient client = RawClient.connect(server.at("/"))) {
      client.get("/api/v1/status");
      assertThat(client.response(BETWEEN_REQUESTS)).startsWith("HTTP/1.1 200");
      client.get("/api/v1/status");
      assertThat(client.firstBytes(12, SOON)).isEqualTo("HTTP/1.1 200");
    }
  }

  private static RawClient send(byte[] experiment) throws IOException {
    RawClient client = RawClient.connect(server.at("/"));
    client.send(
        "POST /api/v1/lab/run HTTP/1.1\r\nHost: "
            + server.at("/").getAuthority()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + experiment.length
            + "\r\n\r\n");
    return client.send(experiment);
  }

  private static byte[] experiment() {
    String script =
        IntStream.range(0, 20_000)
            .mapToObj(k -> "malloc " + k + " " + 512 * (k % 300 + 1) + " 0")
            .collect(Collectors.joining("\\n"));
    String side = "{\"allocator\":\"caching\",\"settings\":\"\",\"deviceBytes\":\"8GiB\"}";
    String body =
        "{\"sides\":[" + side + "," + side + "],\"from\":19900,\"script\":\"" + script + "\"}";
    return body.getBytes(StandardCharsets.UTF_8);
  }

  /** Tasks of all kinds. */
  private static long load(String member) {
    long sum = 0;
    for (JsonNode kind : Json.of(server.get("/api/v1/status")).path("work")) {
      assertThat(kind.has(member)).as(kind.toString()).isTrue();
      sum += kind.path(member).asLong();
    }
    return sum;
  }
}
