package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Replaying a stored snapshot from its page, and the list of earlier runs after a restart. */
@Timeout(180)
class ReplayAndRunsIT {
  private static final String ALLOCATORS = "/api/v1/allocators";

  @TempDir Path folder;

  private static JsonNode post(LocalServer server, String path, String json) {
    HttpResponse<byte[]> answer =
        server.post(
            path, json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
    assertThat(answer.statusCode()).as(path).isBetween(200, 299);
    return Json.of(answer);
  }

  /** Runs a workload to its end. */
  private static JsonNode run(LocalServer server, String allocator, String request)
      throws InterruptedException {
    String runs = allocator + "/workloads";
    String run = runs + "/" + post(server, runs, request).get("id").longValue();
    return await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> Json.of(server.get(run)), now -> !now.path("state").asString().equals("running"));
  }

  private static String hosted(LocalServer server, String json) {
    return ALLOCATORS + "/" + post(server, ALLOCATORS, json).get("id").longValue();
  }

  private static String link(String page, String pattern) {
    Matcher found = Pattern.compile("href=\"(" + pattern + ")\"").matcher(page);
    assertThat(found.find()).as(pattern).isTrue();
    return found.group(1).replace("&amp;", "&");
  }

  @Test
  void snapshotIsReplayedFromItsPage() throws InterruptedException {
    try (LocalServer server = LocalServer.start()) {
      String recorded =
          hosted(server, "{\"device\":\"sim:8GiB\",\"kind\":\"caching\",\"name\":\"recorded\"}");
      run(server, recorded, "{\"workload\":\"training-fixed\",\"steps\":2,\"scale\":0.1}");
      String id = post(server, recorded + "/snapshot", "").path("id").asString();
      post(server, recorded + "/blocks", "{\"bytes\":1000}");

      // From the overview to the list, where the allocator is chosen, to the form filled in.
      String list = link(server.text("/snapshots/" + id), "/live\\?replay=[^\"]*");
      assertThat(list).contains("device=sim%3A8GiB", "kind=caching");
      String choices = server.text(list);
      assertThat(choices).contains("value=\"sim:8GiB\" selected", "name=\"replay\" value=\"" + id);
      String form =
          server.text(
              link(choices, "/live/[0-9]+\\?workload=replay-snapshot[^\"]*")
                  .replace("#run-workload", ""));
      assertThat(form).contains("value=\"replay-snapshot\" selected");
      Matcher value = Pattern.compile("name=\"snapshot\"[^>]* value=\"([^\"]*)\"").matcher(form);
      assertThat(value.find()).isTrue();
      assertThat(value.group(1)).startsWith("recorded, snapshot at").endsWith("(" + id + ")");
      // The picker offers the snapshot by its name.
      assertThat(form)
          .containsPattern(
              "<option value=\"recorded, snapshot at [^\"]*" + id + "\\)\">[0-9,]+ events");

      // A new allocator leads to the same form.
      HttpResponse<byte[]> hosted =
          server.post(
              "/live",
              ("device=sim:8GiB&kind=caching&replay=" + id).getBytes(StandardCharsets.UTF_8),
              "Content-Type",
              "application/x-www-form-urlencoded");
      assertThat(hosted.statusCode()).isEqualTo(302);
      assertThat(hosted.headers().firstValue("Location").orElseThrow())
          .contains("workload=replay-snapshot", "snapshot=" + id, "#run-workload");

      // The value of the picker starts the replay; for another workload it is ignored.
      String live = recorded.replace(ALLOCATORS, "/live") + "/workloads";
      String field =
          "&steps=1&scale=0.1&snapshot="
              + java.net.URLEncoder.encode(value.group(1), StandardCharsets.UTF_8);
      for (String workload : new String[] {"replay-snapshot", "leak"}) {
        assertThat(
                server
                    .post(
                        live,
                        ("workload=" + workload + field).getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/x-www-form-urlencoded")
                    .statusCode())
            .isEqualTo(302);
      }
    }
  }

  @Test
  void runsAreListedWithTheirResultsAfterARestart() throws InterruptedException, IOException {
    String snapshot;
    try (LocalServer server = LocalServer.startIn(folder)) {
      String small = hosted(server, "{\"device\":\"sim:1GiB\",\"name\":\"too small\"}");
      JsonNode failed = run(server, small, "{\"workload\":\"leak\"}");
      snapshot = failed.path("incident").path("snapshot").asString();
      String large =
          hosted(
              server,
              "{\"device\":\"sim:8GiB\",\"name\":\"large"
                  + " enough\",\"settings\":\"expandable_segments:True\"}");
      JsonNode replayed =
          run(
              server,
              large,
              "{\"workload\":\"replay-snapshot\",\"snapshot\":\"" + snapshot + "\"}");
      assertThat(replayed.path("fits").asBoolean()).isTrue();
      assertThat(server.text("/live")).contains("Earlier runs", "too small");
    }
    try (LocalServer server = LocalServer.startIn(folder)) {
      String list = server.text("/live");
      assertThat(list).contains("Earlier runs", "too small", "large enough", "Fits: ", "failed");
      assertThat(list).contains("<code class=\"elided\">expandable_segments:True</code>");
      String postMortem = link(list, "/snapshots/" + snapshot + "/oom\\?n=0");
      assertThat(server.get(postMortem).statusCode()).isEqualTo(200);
      // The allocators are closed: nothing links to them.
      assertThat(list).doesNotContainPattern("href=\"/live/[0-9]");
      JsonNode runs = Json.of(server.get("/api/v1/runs"));
      assertThat(runs.get(0).path("fits").path("eventCount").asLong()).isPositive();
      assertThat(runs.get(1).path("postMortem").path("snapshot").asString()).isEqualTo(snapshot);
      server.delete("/api/v1/snapshots/" + snapshot);
      assertThat(server.text("/live")).doesNotContain("/oom?n=");
    }
    Files.writeString(folder.resolve("runs.json"), "{");
    try (LocalServer server = LocalServer.startIn(folder)) {
      assertThat(server.text("/live")).contains("Earlier runs could not be read");
      assertThat(Objects.requireNonNull(folder.toFile().list()))
          .anyMatch(name -> name.startsWith("runs.json.unreadable-"));
    }
  }

  @Test
  void simulatedDeviceIsNamedOnceAndQualifiesMeasurements() {
    try (LocalServer server = LocalServer.start()) {
      String page = hosted(server, "{\"device\":\"sim:16GiB\"}").replace(ALLOCATORS, "/live");
      String meta = server.text(page);
      meta = meta.substring(meta.indexOf("class=\"meta\""), meta.indexOf("Latency of memory"));
      assertThat(meta.split("16 GiB", -1)).hasSize(2);
      assertThat(server.text(page + "/latency"))
          .contains("<h1>Latency of memory operations on a simulated device</h1>");
    }
  }
}
