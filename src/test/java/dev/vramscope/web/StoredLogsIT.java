package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.web.Endpoints.Endpoint;
import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Logs are kept like snapshots: with a link, name and tags, in the list, until they are deleted.
 */
class StoredLogsIT {
  private static final String MESSAGE =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total"
          + " capacity of 16.00 GiB of which 1.00 GiB is free. Of the allocated memory 14.00 GiB is"
          + " allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated.\n";

  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final String EXPLAIN = "/api/v1/explain";
  private static final String JSON = "application/json";

  @TempDir private Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode keep(LocalServer server, String query, String text) {
    HttpResponse<byte[]> answer = server.post(EXPLAIN + query, bytes(text), "Accept", JSON);
    assertThat(answer.statusCode()).isEqualTo(200);
    return Json.of(answer);
  }

  private static String idOf(LocalServer server, String query, String text) {
    return keep(server, query, text).path("id").asString();
  }

  private static int count(LocalServer server) {
    return Json.of(server.get(SNAPSHOTS)).path("total").asInt(-1);
  }

  @Test
  void aLogHasALinkNameAndTagsAndIsDeleted() {
    try (LocalServer server = LocalServer.start()) {
      JsonNode kept = keep(server, "?name=train&job=llama&rank=3&labels=h100", MESSAGE);
      String id = kept.path("id").asString();
      assertThat(kept.path("url").asString()).isEqualTo(server.at("/logs/" + id).toString());
      assertThat(keep(server, "", MESSAGE).path("id").asString()).as("the same log").isEqualTo(id);
      assertThat(count(server)).isEqualTo(1);

      assertThat(server.text("/logs/" + id))
          .contains("train", "llama", "h100", "2.5 GiB less than the request");
      JsonNode again = Json.of(server.get("/api/v1/logs/" + id, "Accept", JSON));
      assertThat(again).isEqualTo(kept);
      assertThat(server.text("/api/v1/logs/" + id)).contains("2.5 GiB less than the request");
      assertThat(server.text("/api/v1/logs/" + id + "?format=markdown")).startsWith("## train");
      assertThat(server.text(SNAPSHOTS + "/" + id + "/original")).isEqualTo(MESSAGE);
      JsonNode row = Json.of(server.get(SNAPSHOTS)).path("snapshots").path(0);
      assertThat(row.path("format").asString()).isEqualTo("log");
      assertThat(row.path("answer").path("cause").asString()).contains("4.00 GiB");
      assertThat(server.text("/snapshots?job=llama")).contains("/logs/" + id, "train");

      HttpResponse<byte[]> patched =
          server.patch(
              SNAPSHOTS + "/" + id,
              bytes("{\"name\":\"renamed\"}"),
              "Content-Type",
              "application/merge-patch+json");
      assertThat(patched.statusCode()).as(PageText.of(patched)).isEqualTo(200);
      assertThat(server.text("/logs/" + id)).contains("renamed");
      assertThat(server.text("/snapshots/delete?id=" + id)).contains("Delete this log?");
      assertThat(server.delete(SNAPSHOTS + "/" + id).statusCode()).isEqualTo(204);
      assertThat(server.get("/logs/" + id).statusCode()).isEqualTo(404);
      assertThat(server.get("/api/v1/logs/" + id).statusCode()).isEqualTo(404);
      assertThat(count(server)).isZero();
    }
  }

  @Test
  void aTerminalIsToldWhereTheLogIsKept() {
    try (LocalServer server = LocalServer.start()) {
      String text = PageText.of(server.post(EXPLAIN, bytes(MESSAGE)));
      String id = Json.of(server.get(SNAPSHOTS)).at("/snapshots/0/id").asString();
      assertThat(text).contains("kept at " + server.at("/logs/" + id));
      assertThat(PageText.of(server.post(EXPLAIN + "?name=other", bytes(MESSAGE))))
          .contains("the same log was kept before, at " + server.at("/logs/" + id));
      assertThat(PageText.of(server.post(EXPLAIN + "?store=false", bytes("x " + MESSAGE))))
          .contains("2.5 GiB less")
          .doesNotContain("kept");
      assertThat(count(server)).isEqualTo(1);
      assertThat(server.post(EXPLAIN + "?store=no", bytes(MESSAGE)).statusCode()).isEqualTo(400);
    }
  }

  /** Every page and answer of snapshots leads to the log, or says that it is one. */
  @Test
  void whatIsOfSnapshotsSaysThatThisIsALog() {
    try (LocalServer server = LocalServer.start()) {
      String id = idOf(server, "", MESSAGE);
      String other = server.upload(SampleFiles.HEALTHY);
      for (Tab tab : Tab.values()) {
        HttpResponse<byte[]> page =
            server.get("/snapshots/" + id + tab.path(), "Accept", "text/html");
        if (tab == Tab.OVERVIEW) {
          assertThat(page.headers().firstValue("Location").orElse("")).endsWith("/logs/" + id);
          continue;
        }
        assertThat(page.statusCode()).as(tab.path()).isEqualTo(404);
        assertThat(PageText.of(page)).as(tab.path()).contains("is a log, not a snapshot");
      }
      for (Endpoint endpoint : Endpoints.of(server)) {
        boolean isOfSnapshot =
            endpoint.isGet() && endpoint.pattern().matches("(/api/v1)?/snapshots/\\{id}/[^{]*");
        if (isOfSnapshot) {
          String path = endpoint.pattern().replace("{id}", id);
          assertThat(server.get(path).statusCode()).as(path).isLessThan(500);
        }
      }
      for (String path :
          List.of(
              "/",
              "/snapshots",
              "/compare",
              "/compare?a=" + id + "&b=" + other,
              "/plan",
              "/live",
              "/lab",
              "/explain")) {
        assertThat(server.get(path, "Accept", "text/html").statusCode()).as(path).isLessThan(500);
      }
      HttpResponse<byte[]> page = server.get("/logs/" + other, "Accept", "text/html");
      assertThat(page.headers().firstValue("Location").orElse("")).endsWith("/snapshots/" + other);
    }
  }

  @Test
  void aDumpIsKeptAsASnapshotAndReadAsALog() throws IOException {
    try (LocalServer server = LocalServer.start()) {
      String dump = Files.readString(TestData.file("xla/tf_bfc_growing/dump.log"));
      String id = idOf(server, "?name=dump", dump);
      assertThat(server.get("/snapshots/" + id).statusCode()).isEqualTo(200);
      assertThat(server.text("/logs/" + id)).contains("Open as a snapshot");
      String within = idOf(server, "", "step 1\n".repeat(2000) + dump);
      assertThat(server.text("/logs/" + within)).contains("Open the dump as a snapshot");
    }
  }

  /** What begins like a dump, but is none, is kept as a log. */
  @Test
  void whatOnlyBeginsLikeASnapshotIsALog() throws IOException {
    try (LocalServer server = LocalServer.startIn(folder)) {
      String dump = Files.readString(TestData.file("xla/tf_bfc_growing/dump.log"));
      String cut = dump.substring(0, dump.indexOf("Chunk at ") + 4);
      String id = idOf(server, "", cut);
      assertThat(Json.of(server.get(SNAPSHOTS + "/" + id)).path("format").asString())
          .isIn("log", "BFC dump");
    }
    rebuilt();
  }

  /** The database is rebuilt from the originals, and the log has its name, tags and answer. */
  @Test
  void aLogSurvivesTheLossOfTheDatabase() throws IOException {
    String id;
    String nothing;
    String empty = "loss 0.1\n".repeat(3);
    List<String> likeOthers =
        List.of(
            "{\"log\": \"step 1\"}\n{\"log\": \"CUDA out of memory\"}\n",
            "<html><pre>" + MESSAGE + "</pre></html>\n",
            "cuda\nerror\n" + MESSAGE);
    try (LocalServer server = LocalServer.startIn(folder)) {
      id = idOf(server, "?name=train&job=llama", MESSAGE);
      nothing = idOf(server, "", empty);
      server.post(SNAPSHOTS, JsonSnapshots.file(1, 5, 10));
      for (String text : likeOthers) {
        assertThat(idOf(server, "", text)).as(text).isNotEmpty();
      }
    }
    rebuilt();
    try (LocalServer server = LocalServer.startIn(folder)) {
      assertThat(count(server)).isEqualTo(3 + likeOthers.size());
      for (String text : likeOthers) {
        assertThat(server.get("/logs/" + idOf(server, "", text)).statusCode()).isEqualTo(200);
      }
      assertThat(server.text("/logs/" + id)).contains("train", "2.5 GiB less than the request");
      assertThat(Json.of(server.get(SNAPSHOTS + "/" + id)).at("/answer/cause").asString())
          .as("set again by who opens it")
          .contains("4.00 GiB");
      assertThat(server.get("/logs/" + nothing).statusCode()).isEqualTo(200);
      assertThat(idOf(server, "", empty)).isEqualTo(nothing);
    }
  }

  private void rebuilt() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".mv.db")).toList()) {
        Files.delete(file);
      }
    }
    try (LocalServer server = LocalServer.startIn(folder)) {
      await("the rows are rebuilt")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(Json.of(server.get("/api/v1/status")).path("good").asBoolean())
                      .isTrue());
      await("the rows are rebuilt").until(() -> count(server) > 0);
    }
  }

  /** Browsers send other line ends than files have; the log is the same. */
  @Test
  void aPastedLogIsTheSameAsItsFile() {
    try (LocalServer server = LocalServer.start()) {
      String cut = MESSAGE.replace("allocated by PyTorch", "allo\ncated by PyTorch");
      String id = idOf(server, "?name=file", cut);
      HttpResponse<byte[]> pasted =
          server.post(
              "/explain",
              bytes("job=llama&text=" + cut.replace("\n", "%0D%0A")),
              "Content-Type",
              "application/x-www-form-urlencoded",
              "Accept",
              "text/html");
      assertThat(pasted.headers().firstValue("Location").orElse("")).endsWith("/logs/" + id);
      assertThat(server.text("/logs/" + id)).contains("14 GiB", "llama");
      JsonNode windows = keep(server, "", "first\r\n" + cut.replace("\n", "\r\n"));
      assertThat(windows.at("/findings/0/fields").toString()).contains("14.00 GiB");
    }
  }

  @Test
  void aFullDiskKeepsNobodyFromTheAnswer() {
    try (LocalServer server = LocalServer.start("--vramscope.min-free=1000TB")) {
      JsonNode answer = keep(server, "", MESSAGE);
      assertThat(answer.path("findings").size()).isEqualTo(1);
      assertThat(answer.path("notStored").asString()).contains("The disk is full");
      assertThat(answer.has("id")).isFalse();
      assertThat(PageText.of(server.post(EXPLAIN, bytes(MESSAGE))))
          .contains("2.5 GiB less", "not kept: The disk is full");
      String page =
          PageText.of(
              server.post(
                  "/explain",
                  bytes("text=" + MESSAGE),
                  "Content-Type",
                  "application/x-www-form-urlencoded",
                  "Accept",
                  "text/html"));
      assertThat(page).contains("It was not kept", "The disk is full", "2.5 GiB less");
    }
  }

  @Test
  void aDamagedLogIsSaidAndRepairedByTheSameLog() throws IOException {
    try (LocalServer server = LocalServer.startIn(folder)) {
      String id = idOf(server, "?name=train", MESSAGE);
      try (Stream<Path> files = Files.walk(folder.resolve("originals"))) {
        Path original =
            files.filter(file -> file.toString().endsWith(".zst")).findFirst().orElseThrow();
        byte[] content = Files.readAllBytes(original);
        content[content.length / 2] ^= 4;
        Files.write(original, content);
      }
      HttpResponse<byte[]> page = server.get("/logs/" + id, "Accept", "text/html");
      assertThat(page.statusCode()).isEqualTo(500);
      assertThat(PageText.of(page)).contains("Damaged", "Upload the file again");
      assertThat(idOf(server, "", MESSAGE)).isEqualTo(id);
      assertThat(server.text("/logs/" + id)).contains("2.5 GiB less");
    }
  }

  @Test
  void aLogIsAttachedToASnapshotOfItsJob() throws IOException {
    try (LocalServer server = LocalServer.start()) {
      Path ooms = TestData.folder("ooms").resolve("others_hold_most");
      String id =
          Json.of(
                  server.post(
                      SNAPSHOTS + "?job=llama&name=ours", ooms.resolve("snapshot.pickle.gz")))
              .path("id")
              .asString();
      String message =
          Json.of(Files.readString(ooms.resolve("truth.json"))).path("message").asString();
      String log =
          idOf(server, "?job=llama", "step 1\n".repeat(20_000) + message + "\nlast line\n");
      for (int i = 0; i < 22; i++) {
        server.post(SNAPSHOTS + "?name=other" + i, JsonSnapshots.file(i, 5, 10));
        idOf(server, "?job=llama", "step " + i + "\n");
      }
      String page = PageText.of(server.get("/logs/" + log, "Accept", "text/html"));
      assertThat(page.indexOf("ours (" + id)).isBetween(0, page.indexOf("other21 ("));
      HttpResponse<byte[]> attached =
          server.post(
              "/logs/" + log + "/attach",
              bytes("snapshot=" + id),
              "Content-Type",
              "application/x-www-form-urlencoded",
              "Accept",
              "text/html");
      assertThat(attached.statusCode()).isLessThan(400);
      assertThat(server.text(SNAPSHOTS + "/" + id + "/evidence", "Accept", JSON))
          .contains("PyTorch");
    }
  }
}
