package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.intake.JsonSnapshots;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that keep the server waiting, and others that are served nevertheless. */
class UnfairClientsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int STALLED_CLIENTS = 270;

  private static LocalServer server;
  private final List<RawClient> clients = new ArrayList<>();

  @BeforeAll
  static void start() {
    server =
        LocalServer.start(
            "--vramscope.connections.pace-window=5s",
            "--vramscope.connections.head-timeout=2s",
            "--vramscope.connections.max-per-address=400",
            "--server.tomcat.connection-timeout=15s");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void disconnect() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
  }

  private static URI base() {
    return server.at("/");
  }

  private RawClient connect(String from) throws IOException {
    RawClient client = RawClient.connect(base(), from);
    clients.add(client);
    return client;
  }

  private RawClient connect() throws IOException {
    return connect("127.0.0.1");
  }

  @Test
  void uploadsThatMakeProgressPassManyStalledOnes() throws Exception {
    for (int i = 0; i < STALLED_CLIENTS; i++) {
      connect().beginUpload(1_000_000).send("{");
    }
    byte[] other = JsonSnapshots.file(1, 50, 1000);
    int otherStatus = connect("127.0.0.2").beginUpload(other.length).send(other).status(SOON);
    assertThat(otherStatus).as("an upload from another address").isEqualTo(201);
    assertThat(server.get("/").statusCode()).isEqualTo(200);

    // A stalled upload may be displaced after 2 s, which is less than the window of their pace.
    byte[] own = JsonSnapshots.file(2, 50, 1000);
    await()
        .atMost(Duration.ofSeconds(4))
        .untilAsserted(
            () ->
                assertThat(connect().beginUpload(own.length).send(own).status(SOON))
                    .as("an upload from the same address")
                    .isEqualTo(201));

    List<Integer> answers =
        clients.subList(0, STALLED_CLIENTS).stream().map(c -> c.status(SOON)).toList();
    assertThat(Set.copyOf(answers)).isSubsetOf(408, 429, 503).contains(408);
  }

  @Test
  void bodyBelowTheMinimumPaceIsEnded() throws Exception {
    RawClient slow = connect().beginUpload(1_000_000);
    long end = System.nanoTime() + Duration.ofSeconds(7).toNanos();
    try {
      while (System.nanoTime() < end) {
        slow.send(" ");
        Thread.sleep(200);
      }
    } catch (IOException closed) {
      // The response is read below.
    }
    String response = slow.response(SOON);
    assertThat(response).startsWith("HTTP/1.1 408").contains("min-pace", "of 1000000 bytes");
  }

  @Test
  void bodyAboveTheMinimumPaceIsAccepted() throws Exception {
    byte[] file = JsonSnapshots.file(3, 50, 100_000);
    RawClient steady = connect().beginUpload(file.length);
    int step = file.length / 15 + 1; // 15 steps of half a second, longer than the window.
    for (int at = 0; at < file.length; at += step) {
      steady.send(file, at, Math.min(step, file.length - at));
      Thread.sleep(500);
    }
    assertThat(steady.status(SOON)).isEqualTo(201);
  }

  @Test
  void incompleteHeadsAreEnded() throws Exception {
    RawClient slow = connect().send("GET / HTTP/1.1\r\nHost: localhost\r\n");
    boolean closed = false;
    for (int i = 0; i < 40 && !closed; i++) {
      try {
        slow.send("X-Header-" + i + ": 1\r\n");
      } catch (IOException reset) {
        closed = true;
      }
      Thread.sleep(200);
    }
    assertThat(closed || slow.isClosedWithin(Duration.ofSeconds(5))).isTrue();
  }

  @Test
  void connectionsAboveTheShareOfAnAddressAreClosed() throws Exception {
    for (int i = 0; i < 400; i++) {
      connect("127.0.0.3");
    }
    assertThat(connect("127.0.0.3").isClosedWithin(SOON)).isTrue();
    assertThat(connect("127.0.0.4").get("/about").isClosedWithin(Duration.ofMillis(500)))
        .as("another address")
        .isFalse();
  }
}
