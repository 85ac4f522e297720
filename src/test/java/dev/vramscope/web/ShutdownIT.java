package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.intake.JsonSnapshots;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** SIGTERM while clients and workloads keep the service busy. */
class ShutdownIT {
  /** The budget; Docker and Kubernetes kill a process after 10 s. */
  private static final Duration MAX_STOP_TIME = Duration.ofSeconds(8);

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final String ALLOCATORS = "/api/v1/allocators";
  private static final int WORKLOADS = 16;
  private static final int STALLED = 8;
  private static final int DOWNLOAD_BYTES = 24_000_000;

  private final List<RawClient> clients = new ArrayList<>();

  private RawClient connect(ChildServer server) throws Exception {
    RawClient client = RawClient.connect(server.at("/"));
    clients.add(client);
    return client;
  }

  @Test
  void stopsInTimeWhateverClientsDo() throws Exception {
    try (ChildServer server =
            ChildServer.start(
                List.of("-Xmx768m"),
                "--vramscope.connections.pace-window=2m",
                "--server.tomcat.connection-timeout=2m",
                "--logging.level.dev.vramscope=info");
        HttpClient http = HttpClient.newHttpClient()) {
      String large = id(post(http, server, "/api/v1/snapshots", largeFile()));
      List<String> allocators = new ArrayList<>();
      for (int i = 0; i < WORKLOADS; i++) {
        allocators.add(
            id(
                post(
                    http,
                    server,
                    ALLOCATORS,
                    "{\"device\":\"sim:16GiB\"}".getBytes(StandardCharsets.UTF_8))));
        post(
            http,
            server,
            ALLOCATORS + "/" + allocators.getLast() + "/workloads",
            "{\"workload\":\"training-varying\"}".getBytes(StandardCharsets.UTF_8));
      }
      List<RawClient> stalledUploads = new ArrayList<>();
      for (int i = 0; i < STALLED; i++) {
        stalledUploads.add(connect(server).beginUpload(1_000_000).send("{"));
        connect(server).get("/api/v1/snapshots/" + large + "/original");
        connect(server).get(ALLOCATORS + "/" + allocators.get(i) + "/events");
      }
      byte[] file = JsonSnapshots.file(2, 500, 100_000);
      RawClient moving = connect(server).beginUpload(file.length);
      RawClient endless = connect(server).beginUpload(100_000_000);
      moving.send(file, 0, 1000);
      CompletableFuture<Void> trickle =
          CompletableFuture.runAsync(() -> trickle(endless), Thread::startVirtualThread);
      // The buffers of the downloads fill, and the uploads begin. No one reports either.
      Thread.sleep(3000);

      long start = System.nanoTime();
      CompletableFuture<Duration> exit =
          CompletableFuture.supplyAsync(server::terminate, Thread::startVirtualThread);
      for (int at = 1000; at < file.length; at += 10_000) { // About a second.
        moving.send(file, at, Math.min(10_000, file.length - at));
        Thread.sleep(100);
      }
      assertThat(moving.status(SOON)).as("an upload that makes progress").isEqualTo(201);
      Duration took = exit.get();
      trickle.get();

      System.out.println(
          "Stopped " + (System.nanoTime() - start) / 1_000_000 + " ms after SIGTERM");
      assertThat(server.log())
          .contains("the server is stopping")
          .contains("nothing was stored")
          .doesNotContain("ERROR");
      // A connection may be closed before its thread gets to the response on a busy machine.
      assertThat(stalledUploads)
          .allSatisfy(upload -> assertThat(upload.status(SOON)).isIn(503, -1));
      assertThat(took).isLessThan(MAX_STOP_TIME);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  /** More than the buffers between the server and a client that does not receive. */
  private static byte[] largeFile() {
    byte[] json = JsonSnapshots.file(1, 500, 1000);
    byte[] file = Arrays.copyOf(json, DOWNLOAD_BYTES);
    Arrays.fill(file, json.length, file.length, (byte) ' ');
    return file;
  }

  /** Makes progress until it is cut. */
  private static void trickle(RawClient client) {
    try {
      while (true) {
        client.send(new byte[10_000]);
        Thread.sleep(100);
      }
    } catch (IOException cut) {
      // Expected: the server stops.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpResponse<String> post(
      HttpClient http, ChildServer server, String path, byte[] body) throws Exception {
    URI uri = server.at(path);
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private static String id(HttpResponse<String> answer) {
    return Json.of(answer.body()).get("id").asString();
  }
}
