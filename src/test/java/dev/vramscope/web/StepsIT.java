package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The steps of a recording, in JSON and on their page. */
class StepsIT extends OnSnapshotShapes {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @Test
  void everyShapeHasAPage() {
    shapes.forEach(
        (shape, id) -> {
          JsonNode steps = Json.of(server.get(SNAPSHOTS + "/" + id + "/steps"));
          String page = server.text("/snapshots/" + id + "/steps");
          if (steps.path("stepCount").asInt() == 0) {
            assertThat(steps.path("rows")).as(shape).isEmpty();
            assertThat(page).as(shape).containsAnyOf("No steps found", "has no <");
          } else {
            assertThat(page).as(shape).contains("step-answer", "Compare their peaks");
          }
        });
  }

  @Test
  void aRunIsSteadyUntilARequestBreaksThat() {
    String id = stored(12, 9);
    JsonNode steps = Json.of(server.get(SNAPSHOTS + "/" + id + "/steps?limit=5"));
    assertThat(steps.path("source").asString()).isEqualTo("periodicity");
    assertThat(steps.path("stepCount").asInt()).isEqualTo(12);
    assertThat(steps.path("nextOffset").asInt()).isEqualTo(5);
    assertThat(steps.at("/steady/first").asInt()).isEqualTo(2);
    assertThat(steps.at("/steady/last").asInt()).isEqualTo(8);
    assertThat(steps.at("/broken/step").asInt()).isEqualTo(9);
    assertThat(steps.at("/broken/requestBytes").asInt()).isEqualTo(1_048_576);
    assertThat(steps.path("steadyFrom").asInt()).isEqualTo(10);
    assertThat(steps.at("/rows/0/elapsedMicros").isNull()).isTrue();

    String page = server.text("/snapshots/" + id + "/steps");
    assertThat(page.replaceAll("<[^>]+>|\\s+", " ").replaceAll("\\s+", " "))
        .contains("Steady from step 10 on", "Steps 2 to 8 were steady until step 9", "unknown");
    JsonNode most = Json.of(server.get(SNAPSHOTS + "/" + id + "/steps?by=calls&limit=1"));
    assertThat(most.at("/rows/0/number").asInt()).isIn(1, 9);
    var compared = server.get("/snapshots/" + id + "/steps/compare?one=2&other=9");
    assertThat(compared.statusCode()).isIn(200, 302);
  }

  @Test
  void parametersThatMeanNothingAreRefused() {
    String id = stored(12, 9);
    for (String query : List.of("?by=name", "?limit=0", "?limit=501", "?offset=-1", "?device=7")) {
      assertThat(server.get(SNAPSHOTS + "/" + id + "/steps" + query).statusCode())
          .as(query)
          .isBetween(400, 404);
    }
    for (String query : List.of("/compare?one=0&other=2", "/compare?one=1&other=13", "?by=x")) {
      assertThat(
              server.get("/snapshots/" + id + "/steps" + query, "Accept", "text/html").statusCode())
          .as(query)
          .isEqualTo(400);
    }
  }

  /** A program whose first step and step {@code broken} acquire a segment. */
  private static String stored(int steps, int broken) {
    StringBuilder events = new StringBuilder();
    for (int step = 1; step <= steps; step++) {
      if (step == 1 || step == broken) {
        event(events, "segment_alloc", 4_194_304 + step * 67_108_864L, 20_971_520);
      }
      event(events, "alloc", 4_194_304, 1_048_576);
      event(events, "alloc", 8_388_608, 2_097_152);
      event(events, "free_requested", 8_388_608, 2_097_152);
      event(events, "free_completed", 8_388_608, 2_097_152);
      event(events, "free_requested", 4_194_304, 1_048_576);
      event(events, "free_completed", 4_194_304, 1_048_576);
    }
    String file = "{\"segments\": [], \"device_traces\": [[" + events.substring(1) + "]]}";
    return Json.of(
            server.post(SNAPSHOTS + "?name=steps-" + steps, file.getBytes(StandardCharsets.UTF_8)))
        .path("id")
        .asString();
  }

  private static void event(StringBuilder events, String action, long address, long bytes) {
    events.append(
        ",{\"action\": \"%s\", \"addr\": %d, \"size\": %d, \"stream\": 0, \"frames\": []}"
            .formatted(action, address, bytes));
  }
}
