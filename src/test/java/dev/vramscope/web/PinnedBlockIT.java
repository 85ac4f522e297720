package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import dev.vramscope.web.display.DisplayFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The allocation in a pinned block of the segment map is followed through all moments, in Chromium.
 */
class PinnedBlockIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @SuppressWarnings("NullAway.Init")
  private static Life life;

  /** An allocation whose memory is in a segment before, while and after it is allocated. */
  private record Life(int row, String address, int allocated, int freed) {}

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
    life = findLife();
  }

  private static String path(String page) {
    return "/snapshots/" + shapes.get(SampleFiles.FRAGMENTED) + page;
  }

  private static Life findLife() {
    JsonNode rows =
        Json.of(server.get("/api/v1" + path("/events?action=alloc&limit=100&offset=1000")))
            .path("rows");
    for (JsonNode row : rows) {
      int event = row.path("event").asInt();
      int number =
          Json.of(server.get("/api/v1" + path("/events/" + event))).path("allocation").asInt();
      JsonNode found = Json.of(server.get("/api/v1" + path("/allocations/" + number)));
      if (found.path("freeCompletedEvent").asInt() > event + 10
          && found.path("segment").isString()) {
        return new Life(
            number,
            found.path("address").asString(),
            event,
            found.path("freeCompletedEvent").asInt());
      }
    }
    throw new AssertionError("none of the allocations is freed");
  }

  private void open(String query) {
    go(path("/segments" + query));
    page.locator("[data-memory-map][data-state=ready]").waitFor();
  }

  private Locator panel() {
    return page.locator(".view-side");
  }

  private void waitForPanel(String words) {
    page.waitForFunction(
        "words => document.querySelector('.view-side').textContent.includes(words)", words);
  }

  private void goTo(String event) {
    page.locator(".moment-entry").fill(event);
    page.locator(".moment-entry").press("Enter");
  }

  private static String count(int event) {
    return new DisplayFormat().count(event);
  }

  @Test
  void itsAddressStaysOutlinedBeforeItIsAllocatedAndAfterItIsFreed() {
    open("?event=" + life.allocated + "&sel=" + life.row);
    waitForPanel("In use.");
    assertThat(panel().textContent()).contains(life.address, "Unpin");
    page.keyboard().press(",");
    waitForPanel("Not allocated yet: allocated at event " + count(life.allocated));
    byte[] outlined = page.locator(".view-canvas").screenshot();

    goTo(count(life.freed));
    waitForPanel("Freed at event " + count(life.freed) + ".");
    page.waitForURL("**event=" + life.freed + "&sel=" + life.row);
    assertThat(page.locator(".view").getAttribute("data-selected")).isEqualTo(life.address);
    page.goBack();
    waitForPanel("Not allocated yet");
    page.locator(".view-side button:has-text('Unpin')").click();
    page.waitForFunction("() => !location.search.includes('sel=')");
    assertThat(page.locator(".view-canvas").screenshot()).isNotEqualTo(outlined);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void itsEventsAndWhatIsThereInsteadAreOneClickAway() {
    open("?event=" + life.freed + "&sel=" + life.row);
    waitForPanel("At this moment its address is in a block of ");
    panel().locator("p a:has-text('event ')").first().click();
    page.waitForFunction(
        "words => document.querySelector('.moment-label').textContent === words",
        "after event " + count(life.freed));
    panel().locator("a:has-text('a block of')").click();
    waitForPanel("State");
    page.waitForFunction("row => !location.search.includes('sel=' + row)", life.row);

    open("?event=" + life.allocated + "&sel=" + life.row);
    waitForPanel("In use.");
    panel().locator("a:has-text('Before and after in this memory')").click();
    page.waitForURL("**/allocations/" + life.row + "**");
    assertThat(page.locator("main").textContent()).contains(life.address);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void blockOfALinkAndAClickedBlockAreFollowed() {
    open("?event=" + life.allocated + "&sel=" + life.address);
    waitForPanel("In use.");
    goTo(String.valueOf(life.freed));
    waitForPanel("Freed at event " + count(life.freed));

    open("?event=" + life.allocated);
    BoundingBox box = page.locator(".view-canvas").boundingBox();
    page.mouse().click(box.x + 90, box.y + 56);
    page.waitForFunction("() => /sel=\\d+(&|$)/.test(location.search)");
    String pinned = page.url().replaceFirst(".*sel=([0-9]+).*", "$1");
    goTo("0");
    waitForPanel("Not allocated yet");
    page.waitForURL("**event=0&sel=" + pinned);
  }

  @Test
  void numberThatIsNoEventIsRefusedAndTheKindOfStepIsInTheUrl() {
    open("?step=free&event=" + life.allocated);
    assertThat(page.locator(".moment-bar select").inputValue()).isEqualTo("free");
    page.locator(".moment-bar select").selectOption("alloc");
    page.waitForURL("**step=alloc**");
    goTo("99,999,999");
    assertThat(
            page.locator(".moment-entry").evaluate("entry => entry.validationMessage").toString())
        .startsWith("A number from 0 to ");
    assertThat(page.locator(".moment-label").textContent())
        .isEqualTo("after event " + count(life.allocated));
    assertThat(consoleErrors).isEmpty();
  }
}
