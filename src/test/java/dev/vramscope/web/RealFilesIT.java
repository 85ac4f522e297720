package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.web.snapshot.Tab;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Snapshots written by real programs: each is stored, and each of its pages opens. */
@NeedsThirdPartyFiles
class RealFilesIT {
  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  @BeforeAll
  static void start() {
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** A row of INDEX.md. */
  record Listed(String file, long bytes, long segments, long blocks, long events) {
    @Override
    public String toString() {
      return file;
    }
  }

  static List<Listed> files() throws IOException {
    return Files.readAllLines(ThirdPartyFiles.require("snapshots/INDEX.md")).stream()
        .filter(line -> line.startsWith("| ") && line.contains(".pickle |"))
        .map(RealFilesIT::listed)
        .toList();
  }

  private static Listed listed(String line) {
    String[] cells = line.split("\\|", -1);
    long events =
        Arrays.stream(cells[8].strip().split(",", -1))
            .mapToLong(cell -> Long.parseLong(cell.strip()))
            .sum();
    return new Listed(
        cells[1].strip(),
        Long.parseLong(cells[5].strip()),
        Long.parseLong(cells[6].strip()),
        Long.parseLong(cells[7].strip()),
        events);
  }

  @ParameterizedTest
  @MethodSource("files")
  void storesTheFileWithTheListedTotalsAndOpensEveryPage(Listed listed) {
    Path file = ThirdPartyFiles.require("snapshots/torch/" + listed.file());
    HttpResponse<byte[]> answer = server.post("/api/v1/snapshots?name=" + listed.file(), file);
    assertThat(answer.statusCode()).isEqualTo(201);
    JsonNode stored = Json.of(answer);
    assertThat(stored.path("originalBytes").asLong()).isEqualTo(listed.bytes());
    assertThat(stored.path("segmentCount").asLong()).isEqualTo(listed.segments());
    assertThat(stored.path("blockCount").asLong()).isEqualTo(listed.blocks());
    assertThat(stored.path("eventCount").asLong()).isEqualTo(listed.events());

    String id = stored.path("id").asString();
    Map<String, Integer> statuses = new LinkedHashMap<>();
    for (Tab tab : Tab.values()) {
      String path = "/snapshots/" + id + tab.path();
      HttpResponse<byte[]> page = server.get(path, "Accept", "text/html");
      statuses.put(path, page.statusCode());
    }
    String api = "/api/v1/snapshots/" + id;
    for (String path :
        List.of(
            "",
            "/summary",
            "/summary.txt",
            "/ledger",
            "/timeline",
            "/segments",
            "/sites",
            "/findings",
            "/stacks/0",
            "/oom?bytes=2GiB",
            "/original")) {
      statuses.put(api + path, server.get(api + path).statusCode());
    }
    assertThat(statuses).allSatisfy((path, status) -> assertThat(status).as(path).isEqualTo(200));

    JsonNode ledger = Json.of(server.get(api + "/ledger")).path("ledger");
    long reserved = 0;
    for (JsonNode row : ledger.path("rows")) {
      reserved += row.path("bytes").asLong();
    }
    assertThat(reserved).isEqualTo(ledger.path("reservedBytes").asLong());
    assertThat(reserved).isEqualTo(stored.path("reservedBytes").asLong());
  }
}
