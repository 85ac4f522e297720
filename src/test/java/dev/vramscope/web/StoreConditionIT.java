package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.intake.JsonSnapshots;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A full disk and a damaged file, as clients see them. */
class StoreConditionIT {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @TempDir Path folder;

  @Test
  void fullDiskIsReportedAndReadingWorks() {
    try (LocalServer server = LocalServer.start("--vramscope.min-free=1000TB")) {
      var rejected = server.post(SNAPSHOTS, JsonSnapshots.file(1, 5, 10));
      assertThat(rejected.statusCode()).isEqualTo(507);
      assertThat(new String(rejected.body(), StandardCharsets.UTF_8))
          .contains("The disk is full", "Delete snapshots or free space")
          .doesNotContain(server.dataFolder().toString());
      assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(503);
      assertThat(server.text("/actuator/health/readiness")).contains("The disk is full");
      assertThat(server.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
      assertThat(Json.of(server.get("/api/v1/status")).path("writable").asBoolean()).isFalse();
      assertThat(server.text("/")).contains("Nothing can be stored.");
      assertThat(server.get(SNAPSHOTS).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void damagedOriginalIsReportedAndItsPagesWork() throws Exception {
    try (LocalServer server = LocalServer.start()) {
      assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
      assertThat(server.text("/")).doesNotContain("damaged");
      String id =
          Json.of(server.post(SNAPSHOTS + "?name=bad", JsonSnapshots.file(1, 50, 99_000)))
              .path("id")
              .asString();
      try (Stream<Path> files = Files.walk(server.dataFolder().resolve("originals"))) {
        Path original =
            files.filter(file -> file.toString().endsWith(".zst")).findFirst().orElseThrow();
        byte[] bytes = Files.readAllBytes(original);
        bytes[bytes.length / 2] ^= 4;
        Files.write(original, bytes);
      }
      var download = server.get(SNAPSHOTS + "/" + id + "/original");
      assertThat(download.statusCode()).isEqualTo(500);
      assertThat(new String(download.body(), StandardCharsets.UTF_8))
          .contains("Damaged", id, "The pages of a snapshot work without it");
      assertThat(server.get("/snapshots/" + id).statusCode()).isEqualTo(200);
      assertThat(server.text("/")).contains("One snapshot is damaged.", "bad");
      assertThat(server.text("/snapshots")).contains("One snapshot is damaged.");
      assertThat(Json.of(server.get("/api/v1/status")).at("/damaged/0/id").asString())
          .isEqualTo(id);
    }
  }

  @Test
  void lostNamesAreListedUntilTheSnapshotsAreNamed() throws Exception {
    String id = store();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.toString().endsWith(".json") || file.toString().endsWith(".mv.db")) {
          Files.delete(file);
        }
      }
    }
    try (LocalServer server = LocalServer.startIn(folder)) {
      await("the rows are rebuilt")
          .atMost(Duration.ofMinutes(1))
          .until(() -> server.get("/snapshots/" + id).statusCode() != 503);
      JsonNode status = Json.of(server.get("/api/v1/status"));
      assertThat(status.path("good").asBoolean()).isFalse();
      assertThat(status.path("recovered")).isEqualTo(Json.of("[\"" + id + "\"]"));
      assertThat(server.text("/actuator/health/readiness")).contains("\"recovered\":1");
      assertThat(server.text("/"))
          .contains("The name of one snapshot is lost.", "href=\"/snapshots/" + id + "/edit\"");
      server.patch(
          SNAPSHOTS + "/" + id,
          "{\"name\":\"named\"}".getBytes(StandardCharsets.UTF_8),
          "Content-Type",
          "application/merge-patch+json");
      assertThat(Json.of(server.get("/api/v1/status")).path("good").asBoolean()).isTrue();
      assertThat(server.text("/")).doesNotContain("is lost.");
    }
  }

  /** Until then, the page says quickly that it cannot be read yet. */
  private static boolean isShownAgain(LocalServer server, String id) {
    long start = System.nanoTime();
    HttpResponse<byte[]> page = server.get("/snapshots/" + id);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    if (page.statusCode() == 200) {
      return true;
    }
    assertThat(page.statusCode()).isEqualTo(503);
    assertThat(PageText.of(page))
        .containsAnyOf("Cannot read", "Not available yet")
        .doesNotContain("Cannot store", "error 5");
    assertThat(page.headers().firstValue("Retry-After")).isPresent();
    return false;
  }

  @Test
  void databaseThatIsOverwrittenWhileServingIsReplaced() throws Exception {
    String id = store();
    try (LocalServer server = LocalServer.startIn(folder)) {
      overwriteDatabase();
      await().until(() -> isShownAgain(server, id));
      assertThat(server.text("/snapshots")).contains("vramscope-replaced-", id);
    }
  }

  /** Stores a snapshot with an earlier server, so that the next one has read little of it. */
  private String store() {
    try (LocalServer server = LocalServer.startIn(folder)) {
      return Json.of(server.post(SNAPSHOTS, JsonSnapshots.file(1, 50_000, 99_000)))
          .path("id")
          .asString();
    }
  }

  /** Replaces the content of the open file, as {@code head -c 400000 /dev/urandom >} does. */
  private void overwriteDatabase() throws IOException {
    byte[] random = new byte[400_000];
    new SplittableRandom(1).nextBytes(random);
    Files.write(folder.resolve("vramscope.mv.db"), random);
  }

  @Test
  void manyDamagedSnapshotsAreCountedAndListedInParts() throws Exception {
    int count = 23;
    try (LocalServer server = LocalServer.start()) {
      List<String> ids = new ArrayList<>();
      for (int seed = 1; seed <= count; seed++) {
        ids.add(
            Json.of(server.post(SNAPSHOTS, JsonSnapshots.file(seed, 5, 100)))
                .path("id")
                .asString());
      }
      try (Stream<Path> files = Files.walk(server.dataFolder().resolve("originals"))) {
        for (Path original : files.filter(file -> file.toString().endsWith(".zst")).toList()) {
          Files.write(original, new byte[] {1, 2, 3});
        }
      }
      for (String id : ids) {
        assertThat(server.get(SNAPSHOTS + "/" + id + "/original").statusCode()).isEqualTo(500);
      }
      JsonNode status = Json.of(server.get("/api/v1/status"));
      assertThat(status.path("damagedCount").asInt()).isEqualTo(count);
      assertThat(status.path("damaged").size()).isEqualTo(20);
      JsonNode rest = Json.of(server.get("/api/v1/status/damaged?offset=20&limit=2"));
      assertThat(rest.path("total").asInt()).isEqualTo(count);
      assertThat(rest.path("damaged").size()).isEqualTo(2);
      assertThat(Json.of(server.get("/api/v1/status/damaged")).path("damaged").size())
          .isEqualTo(count);
      assertThat(server.get("/api/v1/status/damaged?limit=0").statusCode()).isEqualTo(400);
      assertThat(server.get("/api/v1/status/damaged?offset=-1").statusCode()).isEqualTo(400);
      for (String page : List.of("/", "/snapshots")) {
        String html = server.text(page);
        String banner = html.substring(html.indexOf("<aside"), html.indexOf("</aside>"));
        assertThat(banner)
            .contains("23 snapshots are damaged.", "and 3 more", "href=\"/snapshots/damaged\"");
        assertThat(banner.split("<li>", -1)).hasSize(20 + 1);
      }
      assertThat(server.text("/snapshots/damaged")).contains(ids).contains("23 snapshots");
    }
  }
}
