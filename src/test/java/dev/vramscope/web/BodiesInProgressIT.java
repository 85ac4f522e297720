package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests whose bodies are being received, many at a time, in a small heap. */
class BodiesInProgressIT {
  /** Clients that send the most that a connection may keep in memory, and never end. */
  @Test
  void bodiesInProgressDoNotFillTheHeap() throws Exception {
    try (ChildServer server = ChildServer.start(List.of("-Xmx256m"))) {
      check(server);
    }
  }

  private static void check(ChildServer server) throws Exception {
    byte[] most = new byte[1_000_000];
    Arrays.fill(most, (byte) 'x');
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        clients.add(
            begin(server, "/api/v1/explain", "text/plain", most.length + 100_000).send(most));
      }
      for (int i = 0; i < 20; i++) {
        clients.add(begin(server, "/explain", "application/x-www-form-urlencoded", 33_000_000));
      }
      assertThat(get(server, "/snapshots").statusCode()).isEqualTo(200);
      assertThat(get(server, "/actuator/health/liveness").statusCode()).isEqualTo(200);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
    assertThat(server.log()).doesNotContain("OutOfMemoryError");
  }

  private static RawClient begin(ChildServer server, String path, String type, int length)
      throws IOException {
    URI address = server.at("/");
    return RawClient.connect(address)
        .send(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: "
                + address.getAuthority()
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + length
                + "\r\n\r\n");
  }

  private static HttpResponse<String> get(ChildServer server, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(server.at(path)).build(), BodyHandlers.ofString());
  }
}
