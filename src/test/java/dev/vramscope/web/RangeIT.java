package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The sites of a range of events, in JSON and on the page of the timeline. */
class RangeIT extends OnSnapshotShapes {
  @Test
  void everyShapeHasARangeWhoseRowsAddUp() {
    shapes.forEach(
        (shape, id) -> {
          JsonNode all = Json.of(server.get("/api/v1/snapshots/" + id + "/range?limit=3"));
          JsonNode total = all.path("total");
          for (String name : List.of("allocatedBytes", "freedBytes", "liveAtEndBytes")) {
            long sum = all.path("rest").path(name).asLong();
            for (JsonNode row : all.path("rows")) {
              sum += row.path("amounts").path(name).asLong();
            }
            assertThat(sum).as("%s %s", shape, name).isEqualTo(total.path(name).asLong());
          }
          JsonNode sites = Json.of(server.get("/api/v1/snapshots/" + id + "/sites"));
          assertThat(total.path("liveAtEndBytes").asLong())
              .as(shape)
              .isEqualTo(sites.path("liveBytes").asLong());
        });
  }

  @Test
  void thePageListsTheSitesOfTheRange() {
    String page = "/snapshots/" + shapes.get(SampleFiles.FRAGMENTED) + "/timeline";
    assertThat(server.text(page + "?range=10-60"))
        .contains("value=\"10-60\"", "Zoom to it", "Own peak");
    assertThat(server.text(page + "?range=9-3")).contains("9-3 is not a range of events.");
    assertThat(server.text(page)).doesNotContain("Own peak");
  }

  @Test
  void thePageSumsUpSitesWithNothingInTheChosenOrder() {
    String id = shapes.get(SampleFiles.FRAGMENTED);
    JsonNode rows =
        Json.of(server.get("/api/v1/snapshots/" + id + "/range?from=100&to=110&limit=1000"))
            .path("rows");
    for (String order : List.of("allocated", "freed", "end")) {
      int filled = 0;
      for (JsonNode row : rows) {
        filled +=
            row.path("amounts")
                        .path(order.equals("end") ? "liveAtEndBytes" : order + "Bytes")
                        .asLong()
                    == 0
                ? 0
                : 1;
      }
      String page = server.text("/snapshots/" + id + "/timeline?range=100-110&by=" + order);
      assertThat(page.split("The events of its allocations", -1)).as(order).hasSize(1 + filled);
      assertThat(page).contains(rows.size() - filled + " other site", "All " + rows.size());
    }
  }

  @Test
  void parametersThatMeanNothingAreRefused() {
    String range = "/api/v1/snapshots/" + shapes.get(SampleFiles.FRAGMENTED) + "/range";
    for (String query : List.of("?from=-1", "?from=9&to=3", "?by=name", "?limit=0")) {
      assertThat(server.get(range + query).statusCode()).as(query).isEqualTo(400);
    }
  }
}
