package dev.vramscope.web;

import static dev.vramscope.web.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.LoadState;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Segments over time: the REST endpoint, and the page in Chromium. */
class SegmentTimelineIT extends InBrowser {
  private static final String VIEW = "[data-segment-timeline]";

  @Test
  void reservedBytesAtTheEndAreThoseOfTheSegments() {
    String api = "/api/v1/snapshots/" + server.upload(SampleFiles.FRAGMENTED);
    byte[] columns = server.get(api + "/segment-timeline?width=400&height=300").body();
    JsonNode header = ColumnsFile.header(columns);
    assertThat(header.path("eventCount").asInt()).isEqualTo(10_270);
    assertThat(header.path("contradictionCount").asInt()).isZero();
    assertThat(header.path("outsideCount").asInt()).isZero();
    double[] lane = ColumnsFile.column(columns, "runLane");
    double[] reserved = ColumnsFile.column(columns, "runReserved");
    double[] last = new double[ColumnsFile.column(columns, "laneBytes").length];
    for (int run = 0; run < lane.length; run++) {
      last[(int) lane[run]] = reserved[run];
    }
    double sum = 0;
    for (double bytes : last) {
      sum += bytes;
    }
    double expected =
        ColumnsFile.header(server.get(api + "/segments").body()).path("reservedBytes").asDouble();
    assertThat(sum).isEqualTo(expected);
    assertProblem(server.get(api + "/segment-timeline?width=0"), 400, "width");
    assertProblem(server.get(api + "/segment-timeline?from=9&to=3"), 400, "to");
    assertProblem(server.get(api + "/segment-timeline?device=77"), 404, "no device 77");
  }

  @Test
  void viewDrawsZoomsAndSelects() {
    go("/snapshots/" + server.upload(SampleFiles.FRAGMENTED) + "/segment-timeline");
    ready();
    Locator canvas = page.locator(VIEW + " canvas").first();
    byte[] whole = canvas.screenshot();
    page.keyboard().press("o");
    page.waitForURL("**from=*");
    ready();
    assertThat(canvas.screenshot()).isNotEqualTo(whole);
    int from = Integer.parseInt(page.locator(VIEW).getAttribute("data-from"));
    int to = Integer.parseInt(page.locator(VIEW).getAttribute("data-to"));
    assertThat(to - from).isBetween(300, 401);
    assertThat(10_268).isBetween(from, to);
    canvas.focus();
    page.keyboard().press("ArrowRight");
    page.keyboard().press("Enter");
    page.waitForURL("**sel=*");
    assertThat(page.locator(".view-side dl").textContent()).contains("Address", "0x");
    String selected = page.locator(VIEW).getAttribute("data-selected");
    page.reload();
    ready();
    assertThat(page.locator(VIEW).getAttribute("data-selected")).isEqualTo(selected);
    assertThat(page.locator(".view-side dl").textContent()).contains("Address");
    assertThat(consoleErrors).isEmpty();
  }

  private void ready() {
    page.locator(VIEW + "[data-state='ready']").waitFor();
    page.waitForLoadState(LoadState.NETWORKIDLE);
    page.evaluate("() => new Promise(done => setTimeout(done, 400))");
  }
}
