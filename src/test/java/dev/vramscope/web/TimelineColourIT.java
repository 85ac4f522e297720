package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the colours of the timeline mean, in Chromium. */
class TimelineColourIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private void open(String query) {
    String id = shapes.get(SampleFiles.FRAGMENTED);
    page.navigate(server.at("/snapshots/" + id + "/timeline" + query).toString());
    page.locator("[data-active-timeline][data-state=ready]").waitFor();
  }

  private Locator select() {
    return page.locator(".view-bar select");
  }

  private Locator legend() {
    return page.locator(".colour-legend");
  }

  @Test
  void choiceIsInTheUrlAndHasALegend() {
    open("");
    assertThat(select().inputValue()).isEqualTo("site");
    assertThat(legend().isHidden()).isTrue();
    select().selectOption("size");
    page.waitForURL(url -> url.contains("colour=size"));
    legend().waitFor();
    assertThat(legend().innerText()).containsPattern("[KMG]iB");
    page.reload();
    page.locator("[data-active-timeline][data-state=ready]").waitFor();
    legend().waitFor();
    assertThat(select().inputValue()).isEqualTo("size");
    select().selectOption("stream");
    page.waitForCondition(() -> legend().innerText().contains("stream 0"));
    select().selectOption("site");
    page.waitForCondition(() -> legend().isHidden());
    page.waitForURL(url -> !url.contains("colour"));
  }

  @Test
  void nonsenseInTheUrlIsBySite() {
    open("?colour=grey");
    assertThat(select().inputValue()).isEqualTo("site");
    assertThat(legend().isHidden()).isTrue();
  }

  @Test
  void sitesOfTheRestAreItsSum() {
    String id = shapes.get(SampleFiles.HEALTHY);
    String api = "/api/v1/snapshots/" + id;
    JsonNode rest = Json.of(server.get(api + "/timeline/rest?event=5&below=1000000000000"));
    JsonNode event = Json.of(server.get(api + "/events/5"));
    assertThat(rest.path("bytes")).isEqualTo(event.path("activeBytes"));
    assertThat(rest.path("sites").size()).isBetween(1, 8);
    assertThat(server.get(api + "/timeline/rest?event=-1&below=1").statusCode()).isEqualTo(404);
  }
}
