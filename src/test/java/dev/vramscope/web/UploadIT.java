package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Uploads through the REST API. */
class UploadIT extends OnServer {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @Test
  void rawBodyIsStoredAndFoundByItsTags() throws IOException {
    byte[] plain = uncompressed(SampleFiles.HEALTHY);
    server.delete(
        SNAPSHOTS + "/" + server.upload(SampleFiles.HEALTHY)); // Another test may have stored it.
    HttpResponse<byte[]> first =
        server.post(
            SNAPSHOTS + "?name=run.pickle&job=j%C3%B6b&rank=3&step=1200&host=n7&labels=a,b",
            plain,
            "Content-Type",
            "application/x-www-form-urlencoded");
    assertThat(first.statusCode()).isEqualTo(201);
    JsonNode stored = Json.of(first);
    String id = stored.path("id").asString();
    assertThat(first.headers().firstValue("Location")).hasValue(SNAPSHOTS + "/" + id);
    assertThat(stored.path("sha256").asString()).startsWith(id);
    assertThat(stored.path("originalBytes").asLong()).isEqualTo(plain.length);

    JsonNode found = Json.of(server.get(SNAPSHOTS + "?job=j%C3%B6b&rank=3&label=b"));
    assertThat(found.path("total").asInt()).isEqualTo(1);
    assertThat(found.path("snapshots").get(0).path("id").asString()).isEqualTo(id);
    assertThat(Json.of(server.get(SNAPSHOTS + "?job=other")).path("total").asInt()).isZero();

    assertThat(stored.path("alreadyStored").asBoolean()).isFalse();
    HttpResponse<byte[]> again =
        server.post(SNAPSHOTS + "?job=other", SampleFiles.gzip(SampleFiles.HEALTHY));
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(Json.of(again).path("id").asString()).isEqualTo(id);
    assertThat(Json.of(again).path("alreadyStored").asBoolean()).isTrue();
    assertThat(Json.of(again).path("tags").path("job").asString()).isEqualTo("jöb");
    assertThat(server.get(SNAPSHOTS + "/" + id + "/original").body()).isEqualTo(plain);
  }

  @Test
  void nameComesFromAHeaderOrElseFromTagsAndTime() {
    byte[] file = SampleFiles.gzip(SampleFiles.HEALTHY);
    assertThat(nameAfterUpload("", file, "X-Filename", "dumps/rank0.pickle"))
        .isEqualTo("rank0.pickle");
    assertThat(
            nameAfterUpload("", file, "Content-Disposition", "attachment; filename=\"a.pickle\""))
        .isEqualTo("a.pickle");
    assertThat(nameAfterUpload("?name=given", file, "X-Filename", "x")).isEqualTo("given");
    assertThat(nameAfterUpload("?job=llama&rank=3&step=7", file)).isEqualTo("llama rank 3 step 7");
    assertThat(nameAfterUpload("", file)).matches("20\\d\\d-.* UTC, device 0");
  }

  private static String nameAfterUpload(String query, byte[] file, String... headers) {
    HttpResponse<byte[]> answer = server.post(SNAPSHOTS + query, file, headers);
    JsonNode stored = Json.of(answer);
    assertThat(answer.statusCode()).isBetween(200, 201);
    if (answer.statusCode() == 200) { // Another test has stored it.
      server.delete(SNAPSHOTS + "/" + stored.path("id").asString());
      return nameAfterUpload(query, file, headers);
    }
    server.delete(SNAPSHOTS + "/" + stored.path("id").asString());
    return stored.path("name").asString();
  }

  @Test
  void multipartUploadReportsEachFile() {
    byte[] body =
        form(
            Map.of(
                "good.pickle.gz",
                SampleFiles.gzip(SampleFiles.FRAGMENTED),
                "bad.pickle",
                bytes("no")),
            Map.of("job", "several"));
    HttpResponse<byte[]> answer =
        server.post(SNAPSHOTS, body, "Content-Type", "multipart/form-data; boundary=xx");
    assertThat(answer.statusCode()).isEqualTo(207);
    List<String> outcomes = new ArrayList<>();
    for (JsonNode outcome : Json.of(answer)) {
      int status = outcome.path("status").asInt();
      outcomes.add(outcome.path("name").asString() + " " + (status == 200 ? 201 : status));
    }
    assertThat(outcomes).containsExactlyInAnyOrder("good.pickle.gz 201", "bad.pickle 422");
  }

  @Test
  void formFieldAfterTheFileIsUsed() {
    byte[] body =
        form(
            Map.of("x.pickle.gz", SampleFiles.gzip("out-of-memory-expandable")),
            Map.of("job", "after the file"));
    HttpResponse<byte[]> answer =
        server.post(SNAPSHOTS, body, "Content-Type", "multipart/form-data; boundary=xx");
    assertThat(answer.statusCode()).isBetween(200, 201);
    assertThat(Json.of(answer).path("tags").path("job").asString()).isEqualTo("after the file");
  }

  @Test
  void concurrentUploadsOfOneFileAreStoredOnce() throws Exception {
    byte[] file = SampleFiles.gzip(SampleFiles.FRAGMENTED);
    server.delete(
        SNAPSHOTS
            + "/"
            + server.upload(SampleFiles.FRAGMENTED)); // Another test may have stored it.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<HttpResponse<byte[]>> upload = () -> server.post(SNAPSHOTS + "?job=twice", file);
      List<Future<HttpResponse<byte[]>>> answers =
          List.of(threads.submit(upload), threads.submit(upload));
      String first = Json.of(answers.get(0).get()).path("id").asString();
      assertThat(Json.of(answers.get(1).get()).path("id").asString()).isEqualTo(first);
      assertThat(Json.of(server.get(SNAPSHOTS + "?job=twice")).path("total").asInt()).isEqualTo(1);
    }
  }

  @Test
  void interruptedUploadLeavesNothing() throws Exception {
    long before = Json.of(server.get(SNAPSHOTS)).path("total").asLong();
    byte[] half = bytes("\u0080\u0004half of a snapshot");
    try (Socket socket = new Socket("localhost", server.at("/").getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          bytes(
              "POST "
                  + SNAPSHOTS
                  + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"));
      out.write(half);
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("Upload interrupted");
    }
    assertThat(Json.of(server.get(SNAPSHOTS)).path("total").asLong()).isEqualTo(before);
  }

  @Test
  void malformedMultipartBodyIsABadRequest() {
    byte[] cut =
        bytes("--xx\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\na");
    String type = "multipart/form-data";
    assertProblem(server.post(SNAPSHOTS, cut, "Content-Type", type), 400, "multipart body");
    assertProblem(
        server.post(SNAPSHOTS, cut, "Content-Type", type + "; boundary=xx"), 400, "multipart body");
  }

  @Test
  void rejectsASnapshotWithoutDevices() {
    HttpResponse<byte[]> answer =
        server.post(SNAPSHOTS, bytes("{\"segments\": [], \"device_traces\": [[], []]}"));
    assertProblem(answer, 422, "no device has a segment or an event");
  }

  /** A client of the REST API is told the request, a browser the page. */
  @Test
  void aLogIsSentToWhereLogsAreExplained() {
    byte[] log = bytes("step 1\nCUDA out of memory. Tried to allocate 2.00 GiB.\n".repeat(9));
    JsonNode refused = Json.of(server.post(SNAPSHOTS, log));
    assertThat(refused.path("next").asString())
        .contains("POST it to /api/v1/explain")
        .doesNotContain("page Logs");
    String page =
        new String(
            server.post(SNAPSHOTS, log, "Accept", "text/html").body(), StandardCharsets.UTF_8);
    assertThat(page).contains("Open it on the page Logs.").doesNotContain("/api/v1/explain");
    JsonNode reverse =
        Json.of(server.post("/api/v1/explain", SampleFiles.gzip(SampleFiles.HEALTHY)));
    assertThat(reverse.path("next").asString()).isEqualTo("POST it to /api/v1/snapshots.");
  }

  @Test
  void errorIsReadableDuringTheUpload() throws Exception {
    byte[] start = bytes("no snapshot, but long. ");
    try (Socket socket = new Socket("localhost", server.at("/").getPort())) {
      OutputStream out = socket.getOutputStream();
      int size = 32 << 20;
      out.write(
          bytes(
              "POST "
                  + SNAPSHOTS
                  + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                  + size
                  + "\r\n\r\n"));
      out.write(
          Arrays.copyOf(
              start, size)); // Like a browser, sends the whole body before it reads the response.
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 422").contains("Not a memory snapshot");
    }
  }

  private static byte[] uncompressed(String name) throws IOException {
    try (var stream = new GZIPInputStream(new ByteArrayInputStream(SampleFiles.gzip(name)))) {
      return stream.readAllBytes();
    }
  }

  /** A multipart body with boundary xx, files first. */
  private static byte[] form(Map<String, byte[]> files, Map<String, String> fields) {
    var out = new ByteArrayOutputStream();
    files.forEach(
        (name, content) -> {
          out.writeBytes(
              bytes(
                  "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                      + name
                      + "\"\r\n\r\n"));
          out.writeBytes(content);
          out.writeBytes(bytes("\r\n"));
        });
    fields.forEach(
        (name, value) ->
            out.writeBytes(
                bytes(
                    "--xx\r\nContent-Disposition: form-data; name=\""
                        + name
                        + "\"\r\n\r\n"
                        + value
                        + "\r\n")));
    out.writeBytes(bytes("--xx--\r\n"));
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
