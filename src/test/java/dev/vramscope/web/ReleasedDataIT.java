package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.store.TestUploads;
import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Data folders that released versions have written: {@code data.zip}, and what the release itself
 * said of the snapshots in it, {@code snapshots.json}.
 */
class ReleasedDataIT {
  /** What no release may change. */
  private static final List<String> FACTS =
      List.of(
          "id",
          "name",
          "tags",
          "uploaded",
          "sha256",
          "originalBytes",
          "deviceCount",
          "eventCount",
          "segmentCount",
          "blockCount",
          "reservedBytes",
          "allocatedBytes",
          "oomCount");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"0.1.0", "0.2.0"})
  void folderOfReleaseIsServedAndRebuilt(String release) throws Exception {
    Path data = TestData.folder("releases/" + release);
    JsonNode stored = Json.of(Files.readString(data.resolve("snapshots.json"))).path("snapshots");
    unpack(data.resolve("data.zip"));
    try (LocalServer server = LocalServer.startIn(folder)) {
      assertEverythingIsServed(server, stored);
      await().until(() -> originals() == stored.size());
    }
    Files.delete(folder.resolve("vramscope.mv.db"));
    try (LocalServer server = LocalServer.startIn(folder)) {
      assertEverythingIsServed(server, stored);
    }
  }

  private static void assertEverythingIsServed(LocalServer server, JsonNode stored)
      throws Exception {
    await()
        .until(
            () -> Json.of(server.get("/api/v1/snapshots")).path("total").asInt() == stored.size());
    for (JsonNode each : stored) {
      String path = "/snapshots/" + each.path("id").asString();
      JsonNode now = Json.of(server.get("/api/v1" + path));
      for (String fact : FACTS) {
        assertThat(now.path(fact)).as(fact).isEqualTo(each.path(fact));
      }
      byte[] original = server.get("/api/v1" + path + "/original").body();
      assertThat(TestUploads.sha256(original)).isEqualTo(each.path("sha256").asString());
      List<String> evidence = new ArrayList<>();
      Json.of(server.get("/api/v1" + path + "/evidence"))
          .path("evidence")
          .forEach(text -> evidence.add(text.path("text").asString()));
      assertThat(evidence)
          .isEqualTo(each.path("evidence").valueStream().map(JsonNode::asString).toList());
      String overview = server.text(path);
      for (Tab tab : Tab.values()) { // A kind of recording has those to which its overview links.
        String link = "href=\"" + path + tab.path();
        boolean isLinked =
            overview.contains(link + "\"") || overview.contains(link + "?device=0\"");
        assertThat(server.get(path + tab.path()).statusCode())
            .as(path + tab.path())
            .isEqualTo(isLinked ? 200 : 400);
      }
    }
  }

  private int originals() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder.resolve("originals"))) {
      all.filter(file -> file.toString().endsWith(".json")).forEach(files::add);
    }
    return files.size();
  }

  private void unpack(Path archive) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        try (InputStream content = zip.getInputStream(entry)) {
          Files.copy(content, file);
        }
      }
    }
  }
}
