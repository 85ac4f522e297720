package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the colours of the timeline and of the segment map mean, in Chromium. */
class ColourIT extends InBrowser {
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

  private void openMap(String query) {
    String id = shapes.get(SampleFiles.FRAGMENTED);
    page.navigate(server.at("/snapshots/" + id + "/segments" + query).toString());
    page.locator("[data-memory-map][data-state=ready]").waitFor();
  }

  @Test
  void coloursOfTheMapAreInTheUrlAndHaveALegend() {
    openMap("");
    Locator choice = page.getByLabel("Colour");
    assertThat(choice.inputValue()).isEqualTo("state");
    byte[] byState = page.locator(".map-canvas").screenshot();
    choice.selectOption("site");
    page.waitForURL(url -> url.contains("colour=site"));
    page.waitForCondition(() -> !Arrays.equals(byState, page.locator(".map-canvas").screenshot()));
    assertThat(legend().isHidden()).isTrue();
    choice.selectOption("size");
    legend().waitFor();
    assertThat(legend().innerText()).containsPattern("[KMG]iB");
    openMap("?colour=age&event=9");
    assertThat(page.getByLabel("Colour").inputValue()).isEqualTo("age");
    legend().waitFor();
    openMap("?colour=grey");
    assertThat(page.getByLabel("Colour").inputValue()).isEqualTo("state");
  }

  @Test
  void groupsOfBlocksAreThoseOfTheirAllocations() {
    String api = "/api/v1/snapshots/" + shapes.get(SampleFiles.HEALTHY);
    for (String colour : List.of("size", "category", "stream", "pool", "age")) {
      byte[] map = server.get(api + "/segments?colour=" + colour).body();
      byte[] timeline = server.get(api + "/timeline?colour=" + colour + "&height=4000").body();
      assertThat(ColumnsFile.header(map).path("groups"))
          .isEqualTo(ColumnsFile.header(timeline).path("groups"));
      double[] drawn = ColumnsFile.column(timeline, "allocation");
      double[] drawnGroup = ColumnsFile.column(timeline, "group");
      Map<Double, Double> groups = new HashMap<>();
      for (int i = 0; i < drawn.length; i++) {
        groups.put(drawn[i], drawnGroup[i]);
      }
      double[] allocation = ColumnsFile.column(map, "allocation");
      double[] group = ColumnsFile.column(map, "group");
      int compared = 0;
      for (int block = 0; block < allocation.length; block++) {
        if (allocation[block] < 0) {
          assertThat((int) group[block] & 0xff).isEqualTo(255);
        } else if (groups.containsKey(allocation[block])) {
          assertThat(group[block]).isEqualTo(groups.get(allocation[block]));
          compared++;
        }
      }
      assertThat(compared).isPositive();
    }
    assertThat(server.get(api + "/segments?colour=grey").statusCode()).isEqualTo(400);
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
