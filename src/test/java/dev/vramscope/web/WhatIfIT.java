package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import dev.vramscope.web.display.DisplayFormat;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.BooleanNode;

/** Replays over REST and on their page. */
class WhatIfIT extends OnServer {
  private static final String SNAPSHOTS = "/api/v1/snapshots";
  private static final String[] HEADERS = {"Content-Type", "application/json"};
  private static final String NO_TRACE =
      """
      {"segments": [{"device": 0, "address": 4096, "total_size": 2097152, "stream": 0,
        "segment_type": "small",
        "blocks": [{"address": 4096, "size": 512, "state": "active_allocated"}]}],
       "device_traces": [[]]}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"frag_half", "fraction", "other_stream", "spike"})
  void rowsAreThoseOfPyTorchItself(String name) {
    JsonNode truth = truth("ooms/" + name);
    String own = truth.path("settings").asString();
    JsonNode answer =
        finished(
            upload(server, "ooms/" + name),
            """
            {"device":0,"totalBytes":%d,"othersBytes":%d,"allocator":"caching",
             "settings":[%s,%s]}
            """
                .formatted(
                    truth.path("totalBytes").asLong(),
                    truth.path("othersBytes").asLong(),
                    quoted(own),
                    quoted(with(own, "expandable_segments:True"))));
    assertThat(answer.path("state").asString()).isEqualTo("done");
    assertThat(answer.path("rows")).hasSize(2);
    assertRow(answer.path("rows").get(0), truth.at("/underSettings/default"));
    assertRow(answer.path("rows").get(1), truth.at("/underSettings/expandable"));
    assertThat(answer.at("/rows/0/settings").asString()).isEqualTo(own);
    assertThat(answer.at("/fidelity/exact").asBoolean()).isTrue();
    assertThat(answer.at("/fidelity/placements").asInt()).isPositive();
    assertThat(answer.at("/fidelity/reproducedPlacements"))
        .isEqualTo(answer.at("/fidelity/placements"));
    assertThat(answer.path("rows"))
        .allSatisfy(row -> assertThat(row.path("estimated")).isEqualTo(BooleanNode.FALSE));
  }

  /** The remedies of a failure and the what-if page share their results. */
  @Test
  void whatTheRemediesReplayedIsNotReplayedAgain() {
    String id = upload(server, "ooms/frag_half");
    JsonNode oom = Json.of(server.get(SNAPSHOTS + "/" + id + "/oom"));
    assertThat(oom.at("/remedies/0/settings").asString()).isEqualTo("expandable_segments:True");
    HttpResponse<byte[]> answer =
        server.post(
            SNAPSHOTS + "/" + id + "/whatif",
            "{\"settings\":[\"recorded\",\"expandable_segments:True\"]}"
                .getBytes(StandardCharsets.UTF_8),
            HEADERS);
    assertThat(answer.statusCode())
        .as(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    assertThat(oom.at("/remedies/0/proof").asString())
        .contains(
            new DisplayFormat().bytes(Json.of(answer).at("/rows/1/peakReservedBytes").asLong()));
  }

  /** Without a size, the device has what the recording proves: others' memory is not in it. */
  @ParameterizedTest
  @ValueSource(strings = {"frag_half", "others_hold_most", "live_plain"})
  void sizeIsTheLeastThatTheRecordingProves(String name) {
    JsonNode truth = truth("ooms/" + name);
    JsonNode answer =
        finished(
            upload(server, "ooms/" + name),
            "{\"totalBytes\":null,\"othersBytes\":null,\"settings\":[\"recorded\"]}");
    assertThat(answer.path("totalBytes").asLong())
        .isEqualTo(truth.path("totalBytes").asLong() - truth.path("othersBytes").asLong());
    assertRow(answer.path("rows").get(0), truth.at("/underSettings/default"));
    assertThat(answer.at("/rows/0/failsAtEvent").isNumber()).isTrue();
  }

  @Test
  void sizeIsUnlimitedIfNothingFailed() {
    JsonNode truth = truth("whatif/infer");
    JsonNode answer =
        finished(upload(server, "whatif/infer"), "{\"settings\":[\"\",\"max_split_size_mb:64\"]}");
    assertThat(answer.path("totalBytes").isNull()).isTrue();
    assertRow(answer.path("rows").get(0), truth.at("/underSettings/default"));
    assertRow(answer.path("rows").get(1), truth.at("/underSettings/max_split_64"));
  }

  @ParameterizedTest
  @CsvSource({"bfc", "direct"})
  void otherAllocatorsReplayTooAndCountTheirDriverCalls(String allocator) {
    JsonNode row =
        finished(
                upload(server, "whatif/infer"),
                "{\"allocator\":\"%s\",\"settings\":[\"\"],\"totalBytes\":%d}"
                    .formatted(allocator, 1L << 40))
            .path("rows")
            .get(0);
    assertThat(row.path("fits").asBoolean()).isTrue();
    assertThat(row.path("driverAllocations").asLong())
        .isGreaterThanOrEqualTo(allocator.equals("direct") ? 1000 : 1);
  }

  @Test
  void longJobsHaveALocationWithProgressAndCanBeCancelled() throws InterruptedException {
    String id = upload(server, "whatif/train");
    HttpResponse<byte[]> started = post(id, "", manySettings(1));
    assertThat(started.statusCode()).isEqualTo(202);
    String location = started.headers().firstValue("Location").orElseThrow();
    HttpResponse<byte[]> same = post(id, "", manySettings(1));
    assertThat(same.headers().firstValue("Location")).hasValue(location);
    assertThat(Json.of(server.get(location)).at("/progress/rows").asInt()).isEqualTo(64);
    assertThat(Json.of(server.delete(location)).path("state").asString()).isEqualTo("cancelled");
    JsonNode cancelled = Json.of(server.get(location));
    assertThat(server.get(location).statusCode()).isEqualTo(200);
    assertThat(cancelled.at("/progress/finishedRows").asInt()).isLessThan(64);

    JsonNode again = finished(id, manySettings(1));
    assertThat(again.path("rows")).hasSize(64);
    assertThat(Json.of(server.get(location))).isEqualTo(again);
  }

  private static String manySettings(int first) {
    List<String> settings = new ArrayList<>();
    IntStream.range(first, first + 64).forEach(n -> settings.add("max_split_size_mb:" + (20 + n)));
    return "{\"settings\":" + JsonMapper.shared().writeValueAsString(settings) + "}";
  }

  @Test
  void resultsAreFoundAgainAfterARestart(@TempDir Path folder) {
    String body = "{\"settings\":[\"\",\"expandable_segments:True\"]}";
    String id;
    JsonNode first;
    try (LocalServer one = LocalServer.startIn(folder)) {
      id = upload(one, "ooms/frag_half");
      first = Json.of(post(one, id, "?wait=60", body));
      assertThat(first.path("state").asString()).isEqualTo("done");
    }
    try (LocalServer other = LocalServer.startIn(folder)) {
      assertProblem(other.get(first.path("url").asString()), 404, "POST the same request again");
      HttpResponse<byte[]> again = post(other, id, "", body); // Does not wait for a replay.
      assertThat(again.statusCode()).isEqualTo(200);
      assertThat(Json.of(again)).isEqualTo(first);
      assertThat(other.delete(SNAPSHOTS + "/" + id).statusCode()).isEqualTo(204);
      assertThat(post(other, id, "", body).statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"device\":7,\"settings\":[\"\"]} | 404 | has no device 7",
        "{\"settings\":[\"\",\"max_split_size:1\"]} | 400 | settings[1], character 1",
        "{\"settings\":[\"expandable_segments:Maybe\"]} | 400 | settings[0]",
        "{\"settings\":[]} | 400 | settings is missing or empty",
        "{} | 400 | settings is missing or empty",
        "{\"settings\":[null]} | 400 | settings[0] is null",
        "{\"settings\":[\"\"],\"totalBytes\":-1} | 400 | totalBytes is -1",
        "{\"settings\":[\"\"],\"othersBytes\":-5} | 400 | othersBytes is -5",
        "{\"settings\":[\"\"],\"totalBytes\":5,\"othersBytes\":6} | 400 | more than totalBytes",
        "{\"settings\":[\"\"],\"totalBytes\":9223372036854775807} | 400 | 1 PiB",
        "{\"settings\":[\"\"],\"allocator\":\"jemalloc\"} | 400 | caching, bfc or direct",
        "{\"settings\":[\"a=1\"],\"allocator\":\"bfc\"} | 400 | not a variable of the BFC",
        "{\"settings\":[\"a\"],\"allocator\":\"direct\"} | 400 | has no settings",
        "{\"settings\":[\"\"],\"total\":1} | 400 | Unknown member 'total'",
        "{\"settings\":\"x\" | 400 | body",
      })
  void badRequestsAreExplained(String body, int status, String expected) {
    String id = upload(server, "ooms/frag_half");
    assertProblem(post(id, "", body), status, expected);
  }

  @Test
  void tooManySettingsWaitsAndMissingTracesAreExplained() {
    String id = upload(server, "ooms/frag_half");
    String many = String.join(",", java.util.Collections.nCopies(65, "\"\""));
    assertProblem(post(id, "", "{\"settings\":[" + many + "]}"), 400, "at most 64");
    assertProblem(post(id, "?wait=301", "{\"settings\":[\"\"]}"), 400, "0 to 300 seconds");
    assertProblem(post("0123456789abcdef", "", "{\"settings\":[\"\"]}"), 404, "no snapshot");
    JsonNode stored =
        Json.of(server.post(SNAPSHOTS + "?name=x", NO_TRACE.getBytes(StandardCharsets.UTF_8)));
    String empty = stored.path("id").asString();
    assertProblem(post(empty, "", "{\"settings\":[\"\"]}"), 422, "has no trace");
    assertThat(server.text("/snapshots/" + empty + "/whatif"))
        .contains("There is nothing to replay");
  }

  @Test
  void pageShowsTheNumbersOfTheApi() {
    String id = upload(server, "ooms/frag_half");
    String path = "/snapshots/" + id + "/whatif?settings=expandable_segments:True";
    String page =
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> server.text(path), text -> !text.contains("data-running"));
    JsonNode row =
        finished(id, "{\"settings\":[\"expandable_segments:True\"]}").path("rows").get(0);
    assertThat(page)
        .contains("value=\"" + row.path("peakReservedBytes").asLong() + "\"")
        .contains("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")
        .contains("segment events</b>", "stand on a replay that equals the recording")
        .contains("As recorded", row.path("fits").asBoolean() ? ">fits<" : ">fails<");
  }

  @Test
  void pageExplainsSettingsThatAreNotAccepted() {
    String id = upload(server, "ooms/frag_half");
    HttpResponse<byte[]> page =
        server.get("/snapshots/" + id + "/whatif?settings=expandable:True", "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(PageText.of(page))
        .contains("Settings not accepted", "line 1", "expandable:True</textarea>");
  }

  /** A part of a device without a size has none, and no step of a whole run failed. */
  @Test
  void rowsThatMeanNothingForARunWithoutAFailureAreLeftOut() {
    HttpResponse<byte[]> page =
        server.get("/snapshots/" + upload(server, "whatif/infer") + "/whatif");
    assertThat(PageText.of(page))
        .contains("BFC, growing")
        .doesNotContain("BFC, preallocated", "before the failed step");
  }

  private static void assertRow(JsonNode row, JsonNode expected) {
    for (String number :
        List.of(
            "fits", "ooms", "peakReservedBytes", "driverAllocations", "driverFrees", "retries")) {
      assertThat(row.path(number)).as(number + " of " + row).isEqualTo(expected.path(number));
    }
  }

  private static JsonNode finished(String id, String body) {
    HttpResponse<byte[]> answer = post(id, "?wait=120", body);
    assertThat(answer.statusCode())
        .as(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    return Json.of(answer);
  }

  private static HttpResponse<byte[]> post(String id, String query, String body) {
    return post(server, id, query, body);
  }

  private static HttpResponse<byte[]> post(LocalServer to, String id, String query, String body) {
    return to.post(
        SNAPSHOTS + "/" + id + "/whatif" + query, body.getBytes(StandardCharsets.UTF_8), HEADERS);
  }

  private static String upload(LocalServer to, String path) {
    return Json.of(to.post(SNAPSHOTS, TestData.file(path + "/snapshot.pickle.gz")))
        .path("id")
        .asString();
  }

  private static JsonNode truth(String path) {
    return JsonMapper.shared().readTree(TestData.file(path + "/truth.json"));
  }

  private static String with(String settings, String added) {
    return settings.isEmpty() ? added : settings + "," + added;
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }
}
