package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The timeline over time instead of events: in the REST API and in Chromium. */
class TimeAxisIT extends InBrowser {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  /** Three events at 0, 100 and 1000 µs. */
  private static final int[] LATE = {0, 100, 1_000};

  @Test
  void columnsAreOfEqualTime() {
    String path = SNAPSHOTS + "/" + stored("late", LATE) + "/timeline?width=10&height=100";
    byte[] body = server.get(path + "&x=time").body();
    JsonNode header = ColumnsFile.header(body);
    assertThat(header.path("times").asString()).isEqualTo("ascending");
    assertThat(header.path("fromMicros").asInt()).isZero();
    assertThat(header.path("toMicros").asInt()).isEqualTo(1_001);
    assertThat(ColumnsFile.column(body, "start")).containsExactly(0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3);
    assertThat(ColumnsFile.column(body, "activeMax"))
        .containsExactly(1024, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 6144);
    byte[] byEvent = server.get(path).body();
    assertThat(ColumnsFile.header(byEvent).path("width").asInt()).isEqualTo(3);
    assertThat(ColumnsFile.header(byEvent).has("fromMicros")).isFalse();
    assertThat(server.get(path + "&x=bytes").statusCode()).isEqualTo(400);
  }

  @Test
  void timesThatGoBackHaveNoAxis() {
    String path = SNAPSHOTS + "/" + stored("back", 0, 100, 50) + "/timeline?x=time";
    JsonNode header = ColumnsFile.header(server.get(path).body());
    assertThat(header.path("times").asString()).isEqualTo("goes-back");
    assertThat(header.has("fromMicros")).isFalse();
  }

  @Test
  void theChoiceIsInTheUrl() {
    String id = stored("chosen", LATE);
    open(id, "?from=0&to=3&event=1");
    choice().click();
    page.waitForURL(url -> url.contains("x=time"));
    ready();
    assertThat(page.url()).contains("event=1");
    assertThat(choice().getAttribute("aria-pressed")).isEqualTo("true");
    Locator chart = page.locator(".timeline-canvas");
    chart.hover(new Locator.HoverOptions().setPosition(chart.boundingBox().width / 2, 100));
    page.waitForCondition(() -> status().contains("event 1 "));
    choice().click();
    page.waitForURL(url -> !url.contains("x=time"));
    page.goBack();
    page.waitForURL(url -> url.contains("x=time"));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void withoutAscendingTimesTheAxisIsOfEvents() {
    open(stored("back", 0, 100, 50), "?x=time");
    page.waitForCondition(() -> page.locator(".view-bar").innerText().contains("go back"));
    choice().click();
    page.waitForURL(url -> !url.contains("x=time"));
    ready();
    assertThat(choice().isDisabled()).isTrue();
  }

  private void open(String id, String query) {
    page.navigate(server.at("/snapshots/" + id + "/timeline" + query).toString());
    ready();
  }

  private void ready() {
    page.locator("[data-active-timeline][data-state=ready]").waitFor();
  }

  private Locator choice() {
    return page.locator(".view-bar button:text-is('Time')");
  }

  private String status() {
    return page.locator(".view-status").innerText();
  }

  /** Allocations of 1, 2, 3 KiB, at these times in microseconds. */
  private static String stored(String name, int... micros) {
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < micros.length; i++) {
      events.append(
          ",{\"action\": \"alloc\", \"addr\": %d, \"size\": %d, \"stream\": 0, \"frames\": [], \"time_us\": %d}"
              .formatted(4096 * (i + 1), 1024 * (i + 1), 1_700_000_000_000_000L + micros[i]));
    }
    String file = "{\"segments\": [], \"device_traces\": [[" + events.substring(1) + "]]}";
    return Json.of(
            server.post(
                SNAPSHOTS + "?name=time-axis-" + name, file.getBytes(StandardCharsets.UTF_8)))
        .path("id")
        .asString();
  }
}
