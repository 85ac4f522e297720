package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Steps and annotations above the timeline: in the REST API and in Chromium. */
class NamedRangesIT extends InBrowser {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  @Test
  void everyShapeHasAnAnswer() {
    shapes.forEach(
        (shape, id) -> {
          byte[] body = ranges(id, "");
          JsonNode header = ColumnsFile.header(body);
          double[] first = ColumnsFile.column(body, "first");
          double[] end = ColumnsFile.column(body, "end");
          for (int i = 0; i < first.length; i++) {
            assertThat(first[i]).as(shape).isLessThan(end[i]);
          }
          assertThat(header.path("laneCount").asInt()).as(shape).isBetween(0, 4);
        });
    String id = shapes.get(SampleFiles.HEALTHY);
    assertThat(server.get(SNAPSHOTS + "/" + id + "/timeline/ranges?width=0").statusCode())
        .isEqualTo(400);
  }

  @Test
  void aClickMarksTheEventsOfARange() {
    page.navigate(server.at("/snapshots/" + stored(8, true) + "/timeline").toString());
    Locator strip = page.locator(".range-strip-canvas");
    strip.waitFor();
    strip.scrollIntoViewIfNeeded();
    BoundingBox box = strip.boundingBox();
    // The first covers the first half of each 6 events.
    page.mouse().move(box.x + 72 + (box.width - 86) * 0.0208, box.y + 10);
    assertThat(page.locator(".range-strip-name").innerText()).isEqualTo("forward, events 0 to 2");
    page.mouse().click(box.x + 72 + (box.width - 86) * 0.0208, box.y + 10);
    page.waitForURL(url -> url.contains("range=0-3"));
    page.mouse().move(0, 0);
    strip.press("ArrowRight");
    strip.press("ArrowRight");
    strip.press("Enter");
    page.waitForURL(url -> url.contains("range=6-9"));
  }

  @Test
  void annotationsWithoutAPlaceAreCounted() {
    page.navigate(server.at("/snapshots/" + stored(8, false) + "/timeline").toString());
    page.locator(".range-strip-note").waitFor();
    assertThat(page.locator(".range-strip-note").innerText())
        .startsWith("16 annotations not shown");
  }

  private static byte[] ranges(String id, String query) {
    return server.get(SNAPSHOTS + "/" + id + "/timeline/ranges" + query).body();
  }

  /** Every six events, the first three annotated as {@code forward}. */
  private static String stored(int count, boolean hasTimes) {
    StringBuilder events = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    int time = 1_000;
    for (int i = 0; i < count; i++) {
      mark(marks, "START", ++time);
      for (int event = 0; event < 6; event++) {
        String action =
            event % 3 == 0 ? "alloc" : event % 3 == 1 ? "free_requested" : "free_completed";
        events.append(
            ",{\"action\": \"%s\", \"addr\": 4096, \"size\": %d, \"stream\": 0, \"frames\": []%s}"
                .formatted(action, 512 * (1 + i), hasTimes ? ", \"time_us\": " + ++time : ""));
        if (event == 2) {
          mark(marks, "END", ++time);
        }
      }
    }
    String file =
        "{\"segments\": [], \"device_traces\": [["
            + events.substring(1)
            + "]], \"external_annotations\": ["
            + marks.substring(1)
            + "]}";
    return Json.of(
            server.post(
                SNAPSHOTS + "?name=named-ranges-" + hasTimes,
                file.getBytes(StandardCharsets.UTF_8)))
        .path("id")
        .asString();
  }

  private static void mark(StringBuilder marks, String stage, int time) {
    marks.append(
        ",{\"name\": \"forward\", \"stage\": \"%s\", \"device\": 0, \"time_us\": %d}"
            .formatted(stage, time));
  }
}
