package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Requests that Tomcat or the HTTP firewall rejects get the same problem as all others. */
@ExtendWith(OutputCaptureExtension.class)
class RejectedRequestIT extends OnServer {
  private static final String HOST = "Host: localhost\r\n";
  private static final String FORM = "application/x-www-form-urlencoded";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a%2Fb",
        "/a%00b",
        "/a%5Cb",
        "/a%zzb",
        "/a;b=c",
        "/a//b",
        "/%2e%2e/x",
        "/a%25b",
        "/a%0ab",
        "/../..",
        "/{x}",
        "/a|b",
        "/\u0001"
      })
  void malformedPathIsAProblem(String path) throws IOException {
    assertProblem(send("GET " + path + " HTTP/1.1\r\n" + HOST), 400, "application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%2Fb", "/a;b=c"})
  void browserGetsAPage(String path) throws IOException {
    String answer = send("GET " + path + " HTTP/1.1\r\nAccept: text/html\r\n" + HOST);
    assertProblem(answer, 400, "text/html");
    assertThat(answer).contains("Malformed request", "class=\"masthead\"");
  }

  @Test
  void malformedRequestIsAProblem() throws IOException {
    String json = "application/problem+json";
    assertProblem(send("GET / HTTP/1.1\r\nHost: local host\r\n"), 400, json);
    assertProblem(send("GET / HTTP/1.1\r\nHost: localhost:port\r\n"), 400, json);
    assertProblem(send("GET / HTTP/1.1\r\n"), 400, json);
    assertProblem(send("GET / HTTP/1.1\r\n" + HOST + HOST), 400, json);
    assertProblem(send("GET / HTTP/9.9\r\n" + HOST), 505, json);
    assertProblem(send("G(T / HTTP/1.1\r\n" + HOST), 400, json);
    assertProblem(
        send("GET / HTTP/1.1\r\n" + HOST + "X-Long: " + "x".repeat(20_000) + "\r\n"), 400, json);
    assertProblem(send("POST / HTTP/1.1\r\n" + HOST + "Content-Length: many\r\n"), 400, json);
    String unknownEncoding = send("POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: rot13\r\n");
    assertProblem(unknownEncoding, 501, json); // RFC 9112, 6.1
    assertThat(unknownEncoding).contains("with Transfer-Encoding: chunked.");
  }

  @Test
  void wrongChoiceNamesTheAllowedOnes() throws IOException {
    String answer = send("POST /api/v1/snapshots?duplicate=allow HTTP/1.1\r\n" + HOST);
    assertProblem(answer, 400, "application/problem+json");
    assertThat(answer).contains("\"next\":\"Allowed: keep or add.\"");
  }

  @Test
  void bodyThatIsNotInChunksIsMalformed(CapturedOutput output) throws IOException {
    List<String> bodies =
        List.of(
            "zz\r\n\r\n",
            "-1\r\n\r\n",
            "FFFFFFFFFF\r\n",
            "1\r\nabc\r\n0\r\n\r\n",
            "1;" + "x".repeat(20_000) + "\r\na\r\n0\r\n\r\n",
            "1\r\na\r\n0\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
    for (String path : List.of("/explain", "/lab/run", "/lab/trace", "/lab/snapshot", "/plans")) {
      for (String body : bodies) {
        assertThat(sendChunks("/api/v1" + path, body))
            .as(path + " " + body)
            .startsWith("HTTP/1.1 400")
            .contains("Content-Type: application/problem+json");
      }
    }
    for (String type : List.of("multipart/form-data; boundary=B", FORM)) {
      assertThat(sendChunks("/explain", type, "zz\r\n--B\r\n"))
          .as(type)
          .startsWith("HTTP/1.1 400")
          .contains("Content-Type: application/problem+json", "Invalid chunk header");
    }
    assertThat(output).as("what clients do is no error").doesNotContain("ERROR");
  }

  @Test
  void unknownMethodIsNotAllowed() throws IOException {
    for (String method : List.of("FOO", "TRACE")) {
      assertProblem(
          send(method + " /api/v1/snapshots HTTP/1.1\r\n" + HOST), 405, "application/problem+json");
    }
  }

  private static void assertProblem(String answer, int status, String type) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status)
        .contains("Content-Type: " + type)
        .contains("Content-Security-Policy: default-src 'self'", "X-Content-Type-Options: nosniff")
        .doesNotContainIgnoringCase("tomcat")
        .doesNotContainIgnoringCase("apache")
        .doesNotContain("org.", "java.");
    assertThat(answer.split("HTTP/1.1 ", -1)).as("one response").hasSize(2);
  }

  private static String sendChunks(String path, String body) throws IOException {
    String type = path.endsWith("/explain") ? "text/plain" : "application/json";
    return sendChunks(path, type, body);
  }

  private static String sendChunks(String path, String type, String body) throws IOException {
    return sendAll(
        "POST "
            + path
            + " HTTP/1.1\r\n"
            + HOST
            + "Content-Type: "
            + type
            + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            + body);
  }

  private static String send(String head) throws IOException {
    return sendAll(head + "Connection: close\r\n\r\n");
  }

  private static String sendAll(String request) throws IOException {
    try (Socket socket = new Socket("localhost", server.at("/").getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
