package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The event stream of a live allocator, read by a plain HTTP client. */
@Timeout(120)
class LiveEventsIT {
  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  /** A server for each test: the viewers of one are disconnected some time after its end. */
  @BeforeEach
  void start() {
    server = LocalServer.start("--vramscope.live.max-viewers=5");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String hosted() {
    HttpResponse<byte[]> created =
        server.post(
            "/api/v1/allocators",
            "{\"device\":\"sim:16GiB\"}".getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "application/json");
    return "/api/v1/allocators/" + Json.of(created).get("id").longValue();
  }

  private static void run(String allocator, int operationsPerSecond) {
    String request =
        "{\"workload\":\"training-varying\",\"verify\":false,\"operationsPerSecond\":%d}"
            .formatted(operationsPerSecond);
    HttpResponse<byte[]> started =
        server.post(
            allocator + "/workloads",
            request.getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "application/json");
    assertThat(started.statusCode()).isBetween(200, 299);
  }

  /** A client of the event stream that reads only when a test calls it. */
  private static final class Client implements AutoCloseable {
    final Socket socket;
    final BufferedReader in;

    Client(String allocator) throws IOException {
      this(allocator + "/events", 4096);
    }

    Client(String path, int receiveBuffer) throws IOException {
      socket = new Socket("localhost", server.at("/").getPort());
      socket.setReceiveBufferSize(receiveBuffer);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 256);
    }

    String line() throws IOException {
      String line = in.readLine();
      assertThat(line).as("the connection").isNotNull();
      return line;
    }

    /** The next line with this prefix. */
    String line(String prefix) throws IOException {
      String line = line();
      while (!line.startsWith(prefix)) {
        line = line();
      }
      return line;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void firstFrameIsCompleteAndLastHasTheReason() throws IOException {
    String allocator = hosted();
    try (Client client = new Client(allocator)) {
      assertThat(client.line()).contains("200");
      assertThat(client.line("Content-Type").strip()).contains("text/event-stream");
      assertThat(client.line("data: ")).contains("\"from\":0");
      assertThat(client.line("data: ")).doesNotContain("\"from\":0");
      server.delete(allocator);
      client.line("event: end");
      assertThat(client.line("data: ")).contains("closed");
    }
    assertThat(server.get(allocator + "/events").statusCode()).isEqualTo(410);
    assertThat(server.get("/api/v1/allocators/999999/events").statusCode()).isEqualTo(404);
  }

  @Test
  void oneConnectionHasSeveralViewsThatContinueAtTheirPosition() throws IOException {
    String first = hosted();
    String second = hosted();
    String views =
        "/api/v1/allocators/events?view=%s:&view=%s&view=999999&view=x"
            .formatted(id(first), id(second));
    String position;
    try (Client client = new Client(views, 1 << 16)) {
      Map<String, String> events = new HashMap<>();
      while (events.size() < 4) {
        String name = client.line("event: ");
        events.putIfAbsent(
            name.substring("event: ".length(), name.length()), client.line("data: "));
        events
            .entrySet()
            .removeIf(
                each ->
                    each.getKey().startsWith("frame") && !each.getValue().contains("\"from\":0"));
      }
      assertThat(events.keySet()).anyMatch(name -> name.startsWith("frame 1 "));
      assertThat(events.get("problem 2")).contains("\"status\":404");
      assertThat(events.get("problem 3")).contains("\"status\":400");
      position =
          events.keySet().stream()
              .filter(name -> name.startsWith("frame 0 "))
              .map(name -> name.substring("frame 0 ".length()))
              .findFirst()
              .orElseThrow();
      server.delete(second);
      client.line("event: end 1");
      assertThat(client.line("data: ")).contains("closed");
      client.line("event: frame 0 ");
    }
    String version = position.substring(position.indexOf('.') + 1);
    try (Client client =
        new Client(
            "/api/v1/allocators/events?view=%s:%s".formatted(id(first), position), 1 << 16)) {
      assertThat(client.line("data: ")).contains("\"from\":" + version + ",");
    }
    server.delete(first);
  }

  private static String id(String allocator) {
    return allocator.substring(allocator.lastIndexOf('/') + 1);
  }

  @Test
  void stalledViewersDoNotSlowOthersAndExcessViewersAreRejected() throws Exception {
    String allocator = hosted();
    List<Client> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        Client client = new Client(allocator);
        client.line("data: ");
        stalled.add(client);
      }
      run(allocator, 5000);
      try (Client reading = new Client(allocator)) {
        for (int frames = 0; frames < 60; frames++) {
          reading.line("data: ");
        }
        HttpResponse<byte[]> refused = server.get(allocator + "/events");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(Json.of(refused).get("where").asString()).contains("max-viewers=5");
      }
      // The workload continues while four viewers are stalled; the test times out if it does not.
      long enough = allocations(allocator) + 5000;
      while (allocations(allocator) < enough) {
        Thread.onSpinWait();
      }
    } finally {
      for (Client client : stalled) {
        client.close();
      }
      server.delete(allocator);
    }
  }

  private static long allocations(String allocator) {
    return Json.of(server.get(allocator)).get("totals").get("allocationCount").longValue();
  }

  @Test
  void shutdownDoesNotWaitForViewers() throws Exception {
    // If the server waited for its viewer, the test would time out.
    LocalServer stopping = LocalServer.start("--spring.lifecycle.timeout-per-shutdown-phase=10m");
    String allocator =
        "/api/v1/allocators/"
            + Json.of(
                    stopping.post(
                        "/api/v1/allocators",
                        "{}".getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/json"))
                .get("id")
                .longValue();
    Socket viewer = new Socket("localhost", stopping.at("/").getPort());
    viewer
        .getOutputStream()
        .write(
            ("GET " + allocator + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    assertThat(viewer.getInputStream().read()).isEqualTo('H');
    stopping.close();
    String rest = new String(viewer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(rest).contains("event: end", "stopping");
    viewer.close();
  }
}
