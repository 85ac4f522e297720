package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The budget of every shape of snapshot adds up, on the page and in JSON. */
class BudgetIT extends OnSnapshotShapes {
  private static final Set<String> LIVE = Set.of("live-requested", "live-request-unknown");
  private static final Pattern ROW =
      Pattern.compile("(?s)^([a-z-]+)\">.*?<data [^>]*value=\"(\\d+)\"");

  @Test
  void rowsAddUpToTheDeviceForEveryShapeAndMoment() {
    int compared = 0;
    for (var shape : shapes.entrySet()) {
      String id = shape.getValue();
      int count = Json.of(server.get("/api/v1/snapshots/" + id)).path("deviceCount").asInt();
      for (int device = 0; device < count; device++) {
        for (String at : List.of("failure", "peak", "end")) {
          String query = "/budget?device=" + device + "&at=" + at;
          var answer = server.get("/api/v1/snapshots/" + id + query);
          var page = server.get("/snapshots/" + id + query);
          assertThat(page.statusCode()).as(shape + query).isEqualTo(answer.statusCode());
          if (answer.statusCode() == 400) {
            assertThat(at).as(shape.toString()).isNotEqualTo("end");
            continue;
          }
          JsonNode budget = Json.of(answer).path("budget");
          checkSums(budget, shape + query);
          if (at.equals("end")) {
            checkLedger(
                budget,
                Json.of(server.get("/api/v1/snapshots/" + id + "/ledger?device=" + device)));
          }
          checkPage(budget, PageText.of(page), shape + query);
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(15);
  }

  private static void checkSums(JsonNode budget, String where) {
    long reserved = 0;
    long known = 0;
    boolean isOutside = false;
    for (JsonNode row : budget.path("rows")) {
      isOutside |= row.path("item").asString().equals("outside-allocator");
      isOutside |= row.path("item").asString().equals("other-processes");
      isOutside |= row.path("item").asString().equals("device-free");
      known += row.path("bytes").asLong();
      reserved += isOutside ? 0 : row.path("bytes").asLong();
      assertThat(row.has("bytes")).as(where).isNotEqualTo(row.has("unknown"));
    }
    boolean isUnrecorded = budget.path("rows").valueStream().anyMatch(row -> is(row, "unrecorded"));
    assertThat(budget.path("reservedBytes").isNumber()).as(where).isNotEqualTo(isUnrecorded);
    if (!isUnrecorded) {
      assertThat(reserved).as(where).isEqualTo(budget.path("reservedBytes").asLong());
    }
    if (budget.path("remainderBytes").isNumber()) {
      assertThat(known + budget.path("remainderBytes").asLong())
          .as(where)
          .isEqualTo(budget.path("totalBytes").asLong());
    }
  }

  private static boolean is(JsonNode row, String item) {
    return row.path("item").asString().equals(item);
  }

  private static void checkLedger(JsonNode budget, JsonNode answer) {
    JsonNode ledger = answer.path("ledger");
    long live = 0;
    for (JsonNode row : ledger.path("rows")) {
      live += LIVE.contains(row.path("item").asString()) ? row.path("bytes").asLong() : 0;
    }
    long uses = 0;
    for (JsonNode row : budget.path("rows")) {
      if (row.path("item").asString().equals("rounding")) {
        break;
      }
      uses += row.path("siteCount").asInt() > 0 ? row.path("bytes").asLong() : 0;
    }
    assertThat(uses).isEqualTo(live);
    assertThat(budget.path("reservedBytes")).isEqualTo(ledger.path("reservedBytes"));
    assertThat(budget.path("totalBytes")).isEqualTo(ledger.path("totalBytes"));
  }

  private static void checkPage(JsonNode budget, String html, String where) {
    int found = 0;
    for (String part : html.split("<tr id=\"row-", -1)) {
      Matcher row = ROW.matcher(part);
      if (row.find()) {
        for (JsonNode each : budget.path("rows")) {
          if (each.path("item").asString().equals(row.group(1)) && each.has("bytes")) {
            assertThat(row.group(2))
                .as(where + row.group(1))
                .isEqualTo(each.path("bytes").asString());
            found++;
          }
        }
      }
    }
    int known = 0;
    for (JsonNode each : budget.path("rows")) {
      known += each.has("bytes") ? 1 : 0;
    }
    assertThat(found).as(where).isEqualTo(known);
  }

  @Test
  void rejectsMomentsThatTheRecordingDoesNotHave() {
    String noTrace = "/api/v1/snapshots/" + shapes.get("no-trace") + "/budget?at=";
    assertThat(server.get(noTrace + "end").statusCode()).isEqualTo(200);
    for (String at : List.of("peak", "failure", "yesterday")) {
      var refused = server.get(noTrace + at);
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("end");
    }
    String fragmented = "/api/v1/snapshots/" + shapes.get(SampleFiles.FRAGMENTED);
    assertThat(server.get(fragmented + "/budget?n=99").statusCode()).isEqualTo(400);
    assertThat(server.get(fragmented + "/budget?total=1KiB").statusCode()).isEqualTo(400);
  }
}
