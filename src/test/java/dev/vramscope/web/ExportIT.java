package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.overview.ExportFormat;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Any stored snapshot is exported as a pickle whose upload gives the same snapshot again. */
class ExportIT extends OnServer {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  /** Of a response: its head, and what follows in the same moment. */
  private static final int BEGINNING = 4096;

  /** Far less than a whole export to a slow client takes; a busy machine needs a part of it. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final String[] JSON = {"Content-Type", "application/json"};
  private static final String[] MERGE_PATCH = {"Content-Type", "application/merge-patch+json"};
  private static final String TWO_DEVICES =
      """
      {"segments": [
         {"device": 0, "address": 4096, "total_size": 2097152, "stream": 7, "segment_type": "small",
          "blocks": [{"address": 4096, "size": 512, "state": "active_allocated"}]},
         {"device": 3, "address": 8192, "total_size": 1024, "stream": 0, "segment_type": "small",
          "blocks": [{"address": 8192, "size": 1024, "requested_size": 900,
                      "state": "active_awaiting_free"}]}],
       "device_traces": [[], [], [],
         [{"action": "alloc", "addr": 8192, "size": 900, "stream": 0, "time_us": 1700000000000001}]],
       "unknown": 3}
      """;

  /** What the upload of an exported file may differ in: the answer is there when it is ready. */
  private static final List<String> OF_THE_FILE =
      List.of(
          "id",
          "name",
          "tags",
          "uploaded",
          "sha256",
          "answer",
          "originalBytes",
          "storedBytes",
          "format",
          "alreadyStored",
          "page",
          "url");

  @TestFactory
  Stream<DynamicTest> uploadOfAnExportGivesTheSameSnapshot() throws IOException {
    Path sample = TestData.snapshots().getFirst();
    String page =
        "<!DOCTYPE html><html><body><script>const local_files = [{\"name\": \"a\", \"base64\": \""
            + Base64.getEncoder().encodeToString(Files.readAllBytes(sample))
            + "\"}]</script></body></html>";
    return Stream.concat(
        TestData.snapshots().stream()
            .map(file -> DynamicTest.dynamicTest(name(file), () -> assertRoundTrip(bytes(file)))),
        Stream.of(
            DynamicTest.dynamicTest("JSON", () -> assertRoundTrip(utf8(TWO_DEVICES))),
            DynamicTest.dynamicTest("HTML", () -> assertRoundTrip(utf8(page)))));
  }

  private static void assertRoundTrip(byte[] file) {
    JsonNode stored = upload(file);
    byte[] exported = export(stored).body();
    JsonNode again = upload(exported);
    for (String field : stored.propertyNames()) {
      if (!OF_THE_FILE.contains(field)) {
        assertThat(again.path(field)).as(field).isEqualTo(stored.path(field));
      }
    }
    for (String path : List.of("/findings", "/sites", "/ledger")) {
      assertThat(analysis(again, path)).as(path).isEqualTo(analysis(stored, path));
    }
    assertThat(export(again).body()).isEqualTo(exported);
  }

  /** Without the numbers of stacks and the order of equal sites, which are those of the file. */
  private static List<String> analysis(JsonNode stored, String path) {
    JsonNode answer = Json.of(server.get(api(stored) + path));
    List<String> rows = new ArrayList<>();
    (answer.has("rows") ? answer.path("rows") : answer)
        .forEach(row -> rows.add(row.toString().replaceAll("\"stack\":[0-9]+", "")));
    return rows.stream().sorted().toList();
  }

  @Test
  void exportOfALiveSnapshotIsItsOriginal() {
    JsonNode hosted =
        Json.of(server.post("/api/v1/allocators", utf8("{\"device\":\"sim:1GiB\"}"), JSON));
    String allocator = "/api/v1/allocators/" + hosted.path("id").asString();
    server.post(allocator + "/blocks", utf8("{\"bytes\":734003200}"), JSON);
    JsonNode stored = Json.of(server.post(allocator + "/snapshot", new byte[0]));
    String api = SNAPSHOTS + "/" + stored.path("id").asString();
    assertThat(server.get(api + "/export?format=torch").body())
        .isEqualTo(server.get(api + "/original").body());
    server.delete(allocator);
  }

  @Test
  void downloadsAreNamedAfterTheSnapshot() {
    JsonNode stored = upload(utf8(TWO_DEVICES));
    server.patch(api(stored), utf8("{\"name\":\"Läufe/7.json\"}"), MERGE_PATCH);
    assertThat(disposition(server.get(api(stored) + "/export")))
        .isEqualTo("attachment; filename=\"L_ufe_7.pickle\"; filename*=UTF-8''L%C3%A4ufe_7.pickle");
    assertThat(disposition(server.get(api(stored) + "/original")))
        .isEqualTo("attachment; filename=\"L_ufe_7.json\"; filename*=UTF-8''L%C3%A4ufe_7.json");
  }

  @Test
  void pagesLinkEveryFormat() {
    JsonNode stored = upload(utf8(TWO_DEVICES));
    String page = server.text("/snapshots/" + stored.path("id").asString());
    for (ExportFormat format : ExportFormat.values()) {
      assertThat(page).contains("href=\"" + api(stored) + "/export?format=" + format.id() + "\"");
    }
  }

  @Test
  void sizesAreAnnouncedBeforeTheDownload() {
    String id = server.upload(SampleFiles.FRAGMENTED);
    String page = server.text("/snapshots/" + id);
    for (ExportFormat format : ExportFormat.values()) {
      HttpResponse<byte[]> answer =
          server.get(SNAPSHOTS + "/" + id + "/export?format=" + format.id());
      long announced =
          answer.headers().firstValueAsLong("X-Vramscope-Estimated-Bytes").orElseThrow();
      long actual = answer.body().length;
      assertThat(announced).as(format.id()).isBetween(actual / 2, actual * 2);
      assertThat(page)
          .contains(format.label() + "</a>")
          .contains("about " + new DisplayFormat().bytes(announced));
    }
    HttpResponse<byte[]> original = server.get(SNAPSHOTS + "/" + id + "/original");
    assertThat(original.headers().firstValueAsLong("Content-Length"))
        .hasValue(original.body().length);
  }

  /** The first estimate of many events takes a while: the page does not wait for it. */
  @Test
  void sizesOfManyEventsFollowThePage() {
    JsonNode stored = upload(JsonSnapshots.file(1, 100_001, 2));
    String url = "/snapshots/" + stored.path("id").asString();
    String size = "<span class=\"muted\">about";
    assertThat(server.text(url))
        .contains("data-export-sizes=\"" + url + "/export-sizes\"")
        .doesNotContain(size);
    String part = server.text(url + "/export-sizes");
    assertThat(part).doesNotContain("data-export-sizes").startsWith("<dl");
    assertThat(part.split(size, -1)).hasSize(ExportFormat.values().length + 1);
    assertThat(server.text(url)).contains(size).doesNotContain("data-export-sizes");
  }

  /** A client that reads only the beginning has it while the rest is not yet written. */
  @Test
  void downloadsBeginBeforeTheyAreComplete() throws Exception {
    JsonNode stored = upload(JsonSnapshots.file(1, 300_000, 10));
    server.get(api(stored) + "/export?format=csv"); // Loads it.
    for (ExportFormat format : ExportFormat.values()) {
      String path = api(stored) + "/export?format=" + format.id();
      long begin = System.nanoTime();
      try (RawClient client = RawClient.connect(server.at("/")).get(path)) {
        assertThat(client.firstBytes(BEGINNING, SOON)).as(path).startsWith("HTTP/1.1 200");
        System.out.printf(
            Locale.ROOT,
            "%-9s begins after %4d ms%n",
            format.id(),
            (System.nanoTime() - begin) / 1_000_000);
        assertThat(begun("export")).as("%s is still being written", format.id()).isEqualTo(1);
      }
      await().until(() -> begun("export") == 0);
    }
  }

  private static int begun(String kind) {
    for (JsonNode work : Json.of(server.get("/api/v1/status")).path("work")) {
      if (work.path("kind").asString().equals(kind)) {
        return work.path("started").asInt();
      }
    }
    return 0;
  }

  @Test
  void tablesHaveTheEventsOfAllDevicesOrOfOne() {
    JsonNode stored = upload(utf8(TWO_DEVICES));
    String row =
        "{\"device\":3,\"event\":0,\"action\":\"alloc\",\"address\":\"0x2000\",\"bytes\":900,"
            + "\"stream\":0,\"time_us\":1700000000000001}\n";
    assertThat(server.text(api(stored) + "/export?format=jsonl")).isEqualTo(row);
    assertThat(server.text(api(stored) + "/export?format=jsonl&device=3")).isEqualTo(row);
    assertThat(server.text(api(stored) + "/export?format=jsonl&device=0")).isEmpty();
    assertThat(server.get(api(stored) + "/export?format=jsonl&device=9").statusCode())
        .isEqualTo(404);
  }

  @Test
  void formatsHaveTheirTypesAndNames() {
    JsonNode stored = upload(utf8(TWO_DEVICES));
    server.patch(api(stored), utf8("{\"name\":\"run.json\"}"), MERGE_PATCH);
    for (ExportFormat format : ExportFormat.values()) {
      HttpResponse<byte[]> answer = server.get(api(stored) + "/export?format=" + format.id());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).contains(format.mediaType());
      assertThat(disposition(answer)).startsWith("attachment; filename=\"run.");
    }
    byte[] parquet = server.get(api(stored) + "/export?format=parquet").body();
    assertThat(new String(parquet, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
    assertThat(server.text(api(stored) + "/export?format=perfetto")).contains("Device 3");
    assertThat(server.text(api(stored) + "/export?format=csv")).endsWith("\r\n");
  }

  @Test
  void unknownFormatsAndSnapshotsAreRejected() {
    JsonNode stored = upload(utf8(TWO_DEVICES));
    HttpResponse<byte[]> wrong = server.get(api(stored) + "/export?format=xlsx");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(new String(wrong.body(), StandardCharsets.UTF_8))
        .contains("torch, perfetto, parquet, jsonl, csv");
    assertThat(server.get(SNAPSHOTS + "/0123456789abcdef/export").statusCode()).isEqualTo(404);
  }

  private static JsonNode upload(byte[] file) {
    HttpResponse<byte[]> answer = server.post(SNAPSHOTS + "?name=file", file);
    assertThat(answer.statusCode()).isBetween(200, 201);
    return Json.of(answer);
  }

  private static HttpResponse<byte[]> export(JsonNode stored) {
    HttpResponse<byte[]> answer = server.get(api(stored) + "/export?format=torch");
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer;
  }

  private static String api(JsonNode stored) {
    return SNAPSHOTS + "/" + stored.path("id").asString();
  }

  private static String disposition(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Content-Disposition").orElse("");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(Path file) throws IOException {
    return Files.readAllBytes(file);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
