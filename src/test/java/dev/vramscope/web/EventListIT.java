package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The list of all events, as data and in Chromium. */
class EventListIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  private static JsonNode events(String shape, String query) {
    return Json.of(server.get("/api/v1" + path(shape, "/events") + query));
  }

  private void open(String shape, String query) {
    page.navigate(server.at(path(shape, "/events" + query)).toString());
    page.locator("[data-event-list][data-state=ready]").waitFor();
    rows().first().waitFor();
  }

  private Locator rows() {
    return page.locator(".event-body .event-row[data-event]:not([data-event=''])");
  }

  private Locator row(int event) {
    return page.locator(".event-body .event-row[data-event='" + event + "']");
  }

  @Test
  void partsOfTheListAreThePartsOfTheTrace() {
    JsonNode first = events(SampleFiles.FRAGMENTED, "?limit=500");
    int count = first.path("eventCount").asInt();
    assertThat(first.path("matchCount").asInt()).isEqualTo(count);
    int frees = 0;
    int shown = 0;
    for (int offset = 0; offset < count; offset += 500) {
      for (JsonNode row :
          events(SampleFiles.FRAGMENTED, "?limit=500&offset=" + offset).path("rows")) {
        assertThat(row.path("event").asInt()).isEqualTo(shown++);
        frees += row.path("action").asString().startsWith("free_") ? 1 : 0;
      }
    }
    assertThat(shown).isEqualTo(count);
    assertThat(events(SampleFiles.FRAGMENTED, "?action=free&limit=1").path("matchCount").asInt())
        .isEqualTo(frees);
    JsonNode around = events(SampleFiles.FRAGMENTED, "?around=1000&limit=11");
    assertThat(around.path("around").asInt()).isEqualTo(1000);
    assertThat(around.path("rows").get(5).path("event").asInt()).isEqualTo(1000);
  }

  @Test
  void parametersThatMeanNothingAreRefused() {
    for (String query :
        List.of(
            "?action=allocate",
            "?address=12",
            "?stream=x",
            "?pool=default",
            "?min=big",
            "?limit=0",
            "?offset=-1",
            "?events=9-3",
            "?events=first-last",
            "?site=nowhere",
            "?text=" + "a".repeat(600))) {
      assertThat(
              server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/events") + query).statusCode())
          .as(query)
          .isEqualTo(400);
    }
  }

  @Test
  void pageWithAFilterThatMeansNothingListsAllEventsWithANote() {
    for (String query : List.of("?min=huge", "?action=allocate", "?site=nowhere", "?events=9-3")) {
      assertThat(server.text(path(SampleFiles.FRAGMENTED, "/events") + query))
          .as(query)
          .contains("Allowed: ", " All events are listed.");
    }
    open(SampleFiles.FRAGMENTED, "?stream=x");
    assertThat(page.locator(".notice[role=status]").textContent()).contains("Stream is x.");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void everyRowIsReachedByKeysAndByTheScrollBar() {
    open(SampleFiles.FRAGMENTED, "");
    int count =
        Integer.parseInt(
            String.valueOf(page.locator("[data-event-list]").getAttribute("data-count")));
    page.locator(".event-table").focus();
    page.keyboard().press("End");
    row(count - 1).waitFor();
    page.keyboard().press("Home");
    row(0).waitFor();
    page.evaluate(
        "() => { const list = document.querySelector('.event-table'); list.scrollTop ="
            + " list.scrollHeight / 2; }");
    page.waitForFunction(
        "count => { const first ="
            + " Number(document.querySelector('[data-event-list]').dataset.first); return first >"
            + " count * 0.4 && first < count * 0.6; }",
        count);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void failedRequestIsOneKeyAwayAndBackReturns() {
    open(SampleFiles.FRAGMENTED, "");
    page.keyboard().press("o");
    page.locator(".event-row[data-action=oom][aria-selected=true]").waitFor();
    assertThat(page.url()).contains("event=");
    page.goBack();
    page.locator("[data-event-list][data-state=ready]").waitFor();
    assertThat(page.url()).doesNotContain("event=");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void filterChangesTheListWhileTyping() {
    open(SampleFiles.FRAGMENTED, "");
    page.locator("select[name=action]").selectOption("segment");
    page.waitForFunction(
        "() => [...document.querySelectorAll('.event-body .event-row[data-action]')]"
            + ".every(row => row.dataset.action.startsWith('segment'))");
    page.locator("input[name=text]").fill("no such function anywhere");
    page.locator("[data-event-list][data-state=empty]").waitFor();
    assertThat(page.locator(".view-hint").textContent()).contains("No event");
    page.locator("input[name=min]").fill("huge");
    page.locator(".problem").waitFor();
    assertThat(page.locator(".problem").textContent()).contains("min");
    assertThat(rows().first().isVisible()).as("the rows of another filter").isFalse();
    page.locator("input[name=min]").fill("");
    page.locator("input[name=text]").fill("");
    rows().first().waitFor();
  }

  @Test
  void rangeAndSiteSelectTheEventsOfItsAllocations() {
    JsonNode range =
        Json.of(
            server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/range") + "?from=100&to=900"));
    for (JsonNode row : range.path("rows")) {
      String site = row.path("stack").isNull() ? "none" : row.path("stack").asString();
      if (row.path("beforeRecording").asBoolean()) {
        continue;
      }
      String query = "?events=100-900&limit=1&action=%s&site=" + site;
      JsonNode amounts = row.path("amounts");
      assertThat(
              events(SampleFiles.FRAGMENTED, query.formatted("alloc")).path("matchCount").asInt())
          .as(site)
          .isEqualTo(amounts.path("allocatedCount").asInt());
      assertThat(
              events(SampleFiles.FRAGMENTED, query.formatted("free_completed"))
                  .path("matchCount")
                  .asInt())
          .as(site)
          .isEqualTo(amounts.path("freedCount").asInt());
    }
    assertThat(
            events(SampleFiles.FRAGMENTED, "?events=1,000%20to%201,200").path("matchCount").asInt())
        .isEqualTo(200);
  }

  @Test
  void anEventIsEnteredByItsNumber() {
    open(SampleFiles.FRAGMENTED, "");
    page.locator("input[name=event]").fill("1,234");
    page.locator("input[name=event]").press("Enter");
    page.locator(".event-row[data-event='1234'][aria-selected=true]").waitFor();
    page.waitForURL("**event=1234**");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void selectedEventIsDescribedAndLinked() {
    open(SampleFiles.FRAGMENTED, "?event=1000");
    row(1000).waitFor();
    page.waitForFunction(
        "() => document.querySelector('.view-event p').textContent.includes('Event 1,000')");
    page.locator(".event-table").focus();
    page.keyboard().press("ArrowDown");
    page.locator(".event-row[data-event='1001'][aria-selected=true]").waitFor();
    page.waitForURL("**event=1001**");
  }

  @Test
  void listWithoutTraceOrStacksSaysSo() {
    page.navigate(server.at(path("no-stacks", "/events")).toString());
    rows().first().waitFor();
    assertThat(page.locator(".event-body").textContent()).contains("no stack recorded");
    page.navigate(server.at(path("no-trace", "/events")).toString());
    assertThat(page.locator("main").textContent()).contains("No events were recorded");
  }

  @Test
  void fitsOnAPhoneInTheDark() {
    openWindow(400, 800, ColorScheme.DARK);
    open(SampleFiles.FRAGMENTED, "?action=oom");
    assertThat((Boolean) page.evaluate("() => document.documentElement.scrollWidth <= 400"))
        .isTrue();
    assertThat(consoleErrors).isEmpty();
  }
}
