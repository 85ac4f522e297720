package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Responses and errors of the REST API and the pages. */
class WebIT extends OnServer {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @Test
  void nameAndTagsCanBeChanged() {
    String path = SNAPSHOTS + "/" + server.upload(SampleFiles.FRAGMENTED);
    String type = "application/merge-patch+json";
    JsonNode before = Json.of(server.get(path)).path("tags");
    JsonNode changed =
        Json.of(
            server.patch(
                path,
                bytes("{\"tags\": {\"job\": \"patched\", \"step\": 4, \"labels\": [\"x\"]}}"),
                "Content-Type",
                type));
    assertThat(changed.path("tags").path("job").asString()).isEqualTo("patched");
    assertThat(changed.path("tags").path("step").asLong()).isEqualTo(4);
    assertThat(changed.path("tags").path("rank")).isEqualTo(before.path("rank"));
    assertThat(server.text("/snapshots?job=patched&label=x")).contains(path.substring(18));
    JsonNode unchanged =
        Json.of(
            server.patch(
                path, bytes("{\"tags\": " + changed.path("tags") + "}"), "Content-Type", type));
    assertThat(unchanged).isEqualTo(changed);
    JsonNode removed =
        Json.of(server.patch(path, bytes("{\"tags\": {\"job\": null}}"), "Content-Type", type));
    assertThat(removed.path("tags").path("job").isNull()).isTrue();
    assertThat(removed.path("tags").path("step").asLong()).isEqualTo(4);
    assertProblem(
        server.patch(path, bytes("{\"tags\": {\"jop\": 1}}"), "Content-Type", type),
        400,
        "tags.jop cannot be changed");
    assertProblem(
        server.patch(path, bytes("{\"id\": 1}"), "Content-Type", type),
        400,
        "id cannot be changed");
    assertThat(
            new String(
                server.patch(path, bytes("{"), "Content-Type", type).body(),
                StandardCharsets.UTF_8))
        .contains("The body is not JSON", "line 1, column 2")
        .doesNotContain("Source", "REDACTED");
    assertProblem(
        server.patch(path, bytes("{\"name\": \" \"}"), "Content-Type", type), 400, "name");
    assertProblem(
        server.patch(path, bytes("{\"tags\": {\"step\": 1.5}}"), "Content-Type", type),
        400,
        "tags.step");
    assertProblem(
        server.patch(path, bytes("[]"), "Content-Type", type), 400, "The value is not an object");
    assertProblem(
        server.patch(path, bytes("{}{}"), "Content-Type", type),
        400,
        "The body has more than one value");
    assertProblem(
        server.patch(path, bytes("{\"name\": 5}"), "Content-Type", type), 400, "name is 5");

    String form = "name=edited&job=&rank=8&labels=a%2C+b";
    server.post(
        path.replace("/api/v1", "") + "/edit",
        bytes(form),
        "Content-Type",
        "application/x-www-form-urlencoded");
    JsonNode edited = Json.of(server.get(path));
    assertThat(edited.path("name").asString()).isEqualTo("edited");
    assertThat(edited.path("tags").path("rank").asString()).isEqualTo("8");
    assertThat(edited.path("tags").path("step").isNull()).isTrue();
    assertThat(edited.path("tags").path("labels")).hasSize(2);
    assertThat(server.text(path.replace("/api/v1", "") + "/edit")).contains("value=\"a, b\"");
  }

  @Test
  void offsetPastTheEndShowsTheLastRows() {
    String id = server.upload(SampleFiles.FRAGMENTED);
    assertThat(server.get("/snapshots?offset=999999").headers().firstValue("Location"))
        .hasValue("/snapshots");
    assertThat(server.text("/snapshots/" + id + "/segments?offset=99999")).doesNotContain("0 to ");
  }

  @Test
  void laterPageOfTheListLinksToTheOneBeforeIt() {
    server.upload(SampleFiles.FRAGMENTED);
    server.upload(SampleFiles.HEALTHY);
    long total = Json.of(server.get(SNAPSHOTS)).path("total").asLong();
    assertThat(server.text("/snapshots?order=job")).doesNotContain("class=\"pager\"");
    assertThat(server.text("/snapshots?order=job&offset=1"))
        .contains("href=\"/snapshots?order=job\">Previous</a>")
        .contains("2 to " + total + " of " + total)
        .doesNotContain("rel=\"next\"");
  }

  @Test
  void severalSnapshotsAreDeletedAfterAConfirmation() {
    String one = server.upload(SampleFiles.FRAGMENTED);
    String two = server.upload(SampleFiles.HEALTHY);
    String page = server.text("/snapshots/delete?id=" + one + "&id=" + two + "&id=none");
    assertThat(page).contains("Delete these 2 snapshots?", one, two, "cannot be undone");
    server.post(
        "/snapshots/delete",
        bytes("id=" + one + "&id=" + two),
        "Content-Type",
        "application/x-www-form-urlencoded");
    assertProblem(server.get(SNAPSHOTS + "/" + one), 404, "no snapshot");
    assertProblem(server.get(SNAPSHOTS + "/" + two), 404, "no snapshot");
  }

  @Test
  void listGroupsByJobAndShowsPeakAndOutOfMemory() {
    String path = SNAPSHOTS + "/" + server.upload(SampleFiles.FRAGMENTED);
    server.patch(
        path,
        bytes("{\"tags\": {\"job\": \"grouped\", \"rank\": \"12\"}}"),
        "Content-Type",
        "application/json");
    JsonNode stored = Json.of(server.get(path));
    assertThat(stored.path("peakBytes").asLong()).isPositive();
    assertThat(server.text(path + "/timeline"))
        .contains("\"peakBytes\":" + stored.path("peakBytes").asLong() + ",");
    assertThat(server.text("/snapshots?order=job"))
        .contains("grouped</a>", "1 snapshot, 1 rank, 1 out of memory");
    assertProblem(server.get("/snapshots?order=size"), 400, "order is size");
  }

  @Test
  void notFoundNamesWhereAndNext() {
    String id = server.upload(SampleFiles.FRAGMENTED);
    assertProblem(server.get(SNAPSHOTS + "/0123456789abcdef"), 404, "no snapshot");
    assertProblem(server.get(SNAPSHOTS + "/..%2f..%2fetc"), 400, "");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/ledger?device=7"), 404, "no device 7");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/ledger?device=x"), 400, "whole number");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/timeline?from=-1"), 400, "from is -1");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/timeline?from=9&to=3"), 400, "to is 3");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/timeline?width=0"), 400, "width is 0");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/stacks/999999999"), 404, "no stack");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/allocations/-1"), 404, "no allocation");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/oom?n=4"), 400, "n is 4");
    assertProblem(server.get(SNAPSHOTS + "/" + id + "/oom?bytes=much"), 400, "bytes is much");
    assertProblem(server.get(SNAPSHOTS + "?limit=0"), 400, "limit is 0");
    for (String page : new String[] {"/ledger?total=1KiB", "/oom?total=1KiB"}) {
      assertProblem(server.get(SNAPSHOTS + "/" + id + page), 400, "device of 1 KiB is too small");
    }
    assertProblem(server.get("/api/v1/nothing"), 404, "");
    assertProblem(server.delete(SNAPSHOTS + "/0123456789abcdef"), 404, "no snapshot");
    assertProblem(server.post(SNAPSHOTS, bytes("x"), "Content-Encoding", "br"), 415, "br");
    assertProblem(server.post(SNAPSHOTS + "?step=soon", bytes("x")), 400, "step is soon");
    assertProblem(server.get(SNAPSHOTS + "?q=%ff"), 400, "cannot be read");
  }

  @Test
  void unsupportedMethodListsTheAllowedMethods() {
    HttpResponse<byte[]> answer = server.delete(SNAPSHOTS);
    assertProblem(answer, 405, "DELETE " + SNAPSHOTS);
    assertThat(answer.headers().firstValue("Allow").orElseThrow()).contains("GET", "POST");
  }

  @Test
  void browserGetsTheProblemAsAPage() {
    HttpResponse<byte[]> page = server.get("/snapshots/0123456789abcdef", "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(PageText.of(page))
        .contains(
            "<!doctype html>", "There is no snapshot 0123456789abcdef", "may have been deleted");
  }

  @Test
  void everyAnalysisOfASnapshotIsServed() {
    String api = SNAPSHOTS + "/" + server.upload(SampleFiles.FRAGMENTED);
    JsonNode ledger = Json.of(server.get(api + "/ledger?total=24GiB")).path("ledger");
    long sum = 0;
    for (JsonNode row : ledger.path("rows")) {
      sum += row.path("bytes").asLong();
    }
    assertThat(ledger.path("totalBytes").asLong()).isEqualTo(24L << 30);
    assertThat(sum + ledger.path("remainderBytes").asLong()).isEqualTo(24L << 30);

    JsonNode oom = Json.of(server.get(api + "/oom"));
    assertThat(oom.path("verdict").path("cause").asString()).isEqualTo("FRAGMENTATION");
    assertThat(oom.at("/verdict/certainty").asString()).matches("[A-Z]+");
    assertThat(oom.at("/request/kind").asString()).isEqualTo("large");
    assertThat(oom.at("/candidates/0/state").asString()).isEqualTo("inactive");
    assertThat(oom.at("/ledger/rows/0/item").asString()).isEqualTo("live-requested");
    assertThat(Json.of(server.get(api + "/sites")).at("/rows/0/kind").asString())
        .matches("user|package|runtime");
    assertThat(Json.of(server.get(api + "/findings")).at("/0/severity").asString("info"))
        .matches("info|warning|error");
    assertThat(oom.path("request").path("requestedBytes").asLong()).isEqualTo(805_306_368L);
    assertThat(oom.path("candidates").get(0).path("missingBytes").asLong()).isPositive();
    assertThat(
            Json.of(server.get(api + "/oom?bytes=100MiB")).path("verdict").path("cause").asString())
        .isEqualTo("FITS");

    assertThat(server.text(api + "/summary.txt")).startsWith("|====").contains("Allocated memory");
    assertThat(server.text(api + "/summary", "Accept", "text/plain"))
        .isEqualTo(server.text(api + "/summary.txt"));
    assertThat(server.text(api + "/summary.txt?abbreviated")).doesNotContain("large pool");
    assertThat(
            Json.of(server.get(api + "/summary"))
                .path("counters")
                .path("reserved_bytes.all.current")
                .asLong())
        .isEqualTo(Json.of(server.get(api)).path("reservedBytes").asLong());
    assertThat(Json.of(server.get(api + "/sites")).path("rows").isEmpty()).isFalse();
    assertThat(Json.of(server.get(api + "/sites")).at("/rows/0/frame/file").asString())
        .isNotEmpty();
    assertThat(Json.of(server.get(api + "/allocations/0")).at("/site/file").asString())
        .isNotEmpty();
    assertThat(Json.of(server.get(api)).path("tags").has("empty")).isFalse();
    assertThat(Json.of(server.get(api + "/findings")).isArray()).isTrue();
    assertThat(Json.of(server.get(api + "/allocations/0")).path("address").asString())
        .startsWith("0x");
    assertThat(Json.of(server.get(api + "/stacks/5")).path("frames").isEmpty()).isFalse();
    assertThat(server.text("/api/docs")).contains("openapi", "/api/v1/snapshots", "RFC 9457");
    assertThat(server.text("/actuator/health")).contains("UP");
    assertThat(server.get("/actuator/env").statusCode()).isEqualTo(404);
  }

  @Test
  void columnsAreAlignedAndContainTheWholeTrace() {
    String api = SNAPSHOTS + "/" + server.upload(SampleFiles.FRAGMENTED);
    ByteBuffer buffer =
        ByteBuffer.wrap(server.get(api + "/timeline?width=300&height=200").body())
            .order(ByteOrder.LITTLE_ENDIAN);
    assertThat(buffer.getInt()).isEqualTo(0x31435356);
    int headerBytes = buffer.getInt();
    assertThat(headerBytes % 8).isZero();
    String header = new String(buffer.array(), 8, headerBytes, StandardCharsets.UTF_8);
    assertThat(header)
        .contains("\"eventCount\":10270", "\"width\":300", "\"ooms\":[{\"event\":10268")
        .contains("\"name\":\"activeMax\"");
  }

  @Test
  void segmentsAddUpToTheReservedBytes() {
    String api = SNAPSHOTS + "/" + server.upload(SampleFiles.FRAGMENTED);
    byte[] body = server.get(api + "/segments").body();
    ByteBuffer buffer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    int headerBytes = buffer.getInt(4);
    String header = new String(body, 8, headerBytes, StandardCharsets.UTF_8);
    JsonNode facts = Json.of(header);
    double sum = 0;
    for (JsonNode column : facts.path("columns")) {
      if (column.path("name").asString().equals("bytes")) {
        for (int i = 0; i < column.path("length").asInt(); i++) {
          sum += buffer.getDouble(8 + headerBytes + column.path("offset").asInt() + 8 * i);
        }
      }
    }
    assertThat(sum).isEqualTo(facts.path("reservedBytes").asDouble()).isPositive();
  }

  @Test
  void everyResponseHasTheSecurityHeaders() {
    var headers = server.get("/").headers();
    assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(server.text("/")).doesNotContain("style=", "onclick=", "<script>");
  }

  @Test
  void rejectsChangesFromOtherSites() {
    String path = "/samples/" + SampleFiles.HEALTHY;
    assertProblem(
        server.post(path, bytes(""), "Sec-Fetch-Site", "cross-site"), 403, "another site");
    assertProblem(
        server.post(path, bytes(""), "Origin", "http://evil.example"), 403, "another site");
    assertProblem(server.post(path, bytes(""), "Origin", "null"), 403, "another site");
    assertThat(server.post(path, bytes(""), "Sec-Fetch-Site", "same-origin").statusCode())
        .isEqualTo(302);
  }

  @Test
  void rejectsUnknownHostNames() throws IOException {
    try (Socket socket = new Socket("localhost", server.at("/").getPort())) {
      socket
          .getOutputStream()
          .write(bytes("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .startsWith("HTTP/1.1 421")
          .contains("not configured for the host name evil.example");
    }
  }

  @Test
  void deletedSnapshotIsNotFoundAnywhere() {
    String id = server.upload("out-of-memory-expandable");
    assertThat(server.get("/snapshots/" + id).statusCode()).isEqualTo(200);
    assertThat(server.text("/snapshots/delete?id=" + id)).contains("cannot be undone");
    assertThat(server.delete(SNAPSHOTS + "/" + id).statusCode()).isEqualTo(204);
    assertThat(server.get("/snapshots/" + id).statusCode()).isEqualTo(404);
    assertThat(server.get(SNAPSHOTS + "/" + id + "/sites").statusCode()).isEqualTo(404);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
