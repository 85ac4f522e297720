package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.web.overview.ExportFormat;
import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** Clients that disconnect before or during a response, or while they upload. */
@ExtendWith(OutputCaptureExtension.class)
class DisconnectedClientsIT {
  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final int TIMES = 4;

  @Test
  void disconnectingIsNoErrorInTheLog(CapturedOutput output) throws Exception {
    try (LocalServer server = LocalServer.start()) {
      String id =
          Json.of(server.post(SNAPSHOTS, JsonSnapshots.file(1, 20_000, 1_000_000)))
              .path("id")
              .asString();
      List<String> paths = paths(server, id);
      assertThat(paths).hasSizeGreaterThan(50);
      for (String path : paths) {
        for (int i = 0; i < TIMES; i++) {
          disconnect(server, request("GET", path, server), i);
        }
      }
      for (int i = 0; i < TIMES; i++) {
        disconnect(server, request("POST", SNAPSHOTS, server) + "{\"segments\": [", i);
      }
      for (String path :
          List.of("/explain", "/api/v1/explain", "/api/v1/lab/run", "/api/v1/plans")) {
        for (String type :
            List.of(
                "multipart/form-data; boundary=B",
                "application/x-www-form-urlencoded",
                "application/json")) {
          for (int i = 0; i < TIMES; i++) {
            String head =
                request("POST", path, server)
                    .replaceFirst("\r\n", "\r\nContent-Type: " + type + "\r\n");
            disconnect(
                server,
                head + "--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nCUDA",
                i);
          }
        }
      }
      // The server has ended these requests when it answers further ones: they wait for a snapshot.
      for (String path : List.of("/", "/snapshots/" + id, SNAPSHOTS + "/" + id + "/export")) {
        assertThat(server.get(path).statusCode()).isEqualTo(200);
      }
    } // Closing waits for the requests that are still in progress.
    assertThat(output.getAll().lines().filter(line -> line.contains("ERROR"))).isEmpty();
    assertThat(output).doesNotContain("ClientAbortException", "NotUsableException");
  }

  private static List<String> paths(LocalServer server, String id) {
    List<String> paths = new ArrayList<>();
    JsonNode document = Json.of(server.get("/api/docs.json"));
    document
        .path("paths")
        .forEachEntry(
            (path, operations) -> {
              if (operations.has("get")) {
                paths.add(path.replace("{id}", id).replaceAll("\\{\\w+}", "1"));
              }
            });
    for (Tab tab : Tab.values()) {
      paths.add("/snapshots/" + id + tab.path());
    }
    for (ExportFormat format : ExportFormat.values()) {
      paths.add(SNAPSHOTS + "/" + id + "/export?format=" + format.id());
    }
    paths.addAll(List.of("/", "/snapshots", "/live", "/about", "/api/docs"));
    return paths;
  }

  private static String request(String method, String path, LocalServer server) {
    URI uri = server.at("/");
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: "
        + uri.getAuthority()
        + "\r\nContent-Length: "
        + (method.equals("POST") ? 1_000_000 : 0)
        + "\r\n\r\n";
  }

  /** Sends a request, receives nothing or a little, and resets or closes the connection. */
  private static void disconnect(LocalServer server, String request, int way) throws IOException {
    try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.at("/").getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      boolean receives = way % 2 == 1 && request.startsWith("GET");
      if (receives) {
        socket.getInputStream().read(new byte[100]);
      }
      if (way >= 2) {
        socket.setSoLinger(true, 0);
      }
    }
  }
}
