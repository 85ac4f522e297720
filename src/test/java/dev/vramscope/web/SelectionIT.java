package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.LoadState;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.vramscope.web.display.DisplayFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Selecting events, allocations and blocks by links and by keys, in Chromium. */
class SelectionIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  private static JsonNode json(String shape, String path) {
    return Json.of(server.get("/api/v1/snapshots/" + shapes.get(shape) + path));
  }

  private void open(String path) {
    page.navigate(server.at(path).toString());
    page.locator("[data-state=ready]").waitFor();
  }

  private String data(String name) {
    return String.valueOf(
        page.evaluate("name => document.querySelector('.view').dataset[name]", name));
  }

  private void waitForData(String name, String value) {
    page.waitForFunction(
        "([name, value]) => String(document.querySelector('.view').dataset[name]) === value",
        List.of(name, value));
  }

  /** The texts of the line that describes the event, as soon as it is loaded. */
  private String event(String words) {
    Locator line = page.locator(".view-event p");
    page.waitForFunction(
        "words => document.querySelector('.view-event p').textContent.includes(words)", words);
    return line.textContent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SampleFiles.HEALTHY,
        SampleFiles.FRAGMENTED,
        "train_33_events",
        "no-stacks",
        "two-devices",
        "live"
      })
  void cursorIsOnTheEventOfTheLink(String shape) {
    String overview = server.text(path(shape, ""));
    String link = overview.replaceFirst("(?s).*href=\"([^\"]*event=[0-9]+)\".*", "$1");
    String number = link.replaceFirst(".*event=", "");
    open(link.replace("&amp;", "&"));
    waitForData("event", number);
    String words =
        json(shape, "/events/" + number + "?device=" + data("device")).path("text").asString();
    assertThat(event(words)).contains("Event " + new DisplayFormat().count(Long.parseLong(number)));
    assertThat(Double.parseDouble(data("from"))).isLessThanOrEqualTo(Double.parseDouble(number));
    assertThat(Double.parseDouble(data("to"))).isGreaterThan(Double.parseDouble(number));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void viewIsCentredOnTheCursor() {
    open(path(SampleFiles.HEALTHY, "/timeline?event=5000"));
    waitForData("event", "5000");
    assertThat(Integer.parseInt(data("from")) + Integer.parseInt(data("to")))
        .isBetween(9998, 10_004);
    assertThat(Integer.parseInt(data("to")) - Integer.parseInt(data("from"))).isLessThan(1200);
  }

  @Test
  void buttonsAndKeysMoveTheCursorAndTheUrlRestoresIt() {
    open(path("no-stacks", "/timeline?event=3"));
    event("Allocation of 1.91 MiB at 0x580000");
    page.locator(".view-event button").nth(1).click();
    event("Free of 1.91 MiB requested");
    page.keyboard().press(",");
    page.keyboard().press(",");
    assertThat(event("Allocation of 512 KiB")).contains("no stack recorded");
    page.keyboard().press(".");
    page.waitForURL("**event=3*");
    page.reload();
    event("Allocation of 1.91 MiB");
    for (int i = 0; i < 9; i++) {
      page.keyboard().press(".");
    }
    event("Snapshot taken");
    assertThat(page.locator(".view-event button").nth(1).isDisabled()).isTrue();
    page.keyboard().press("Escape");
    page.locator(".view-canvas").press("Escape");
    page.locator(".view-event")
        .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
    page.waitForURL(url -> !url.contains("event="));
    page.keyboard().press(".");
    assertThat(page.locator(".view-event").isVisible()).isTrue();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void keysSelectAllocationsOfTheTimeline() {
    open(path("no-stacks", "/timeline"));
    Locator chart = page.locator(".timeline-canvas");
    page.locator(".view-search input").focus();
    page.keyboard().press("Tab");
    assertThat(chart.evaluate("chart => document.activeElement === chart")).isEqualTo(true);
    assertThat(chart.evaluate("chart => getComputedStyle(chart).outlineStyle"))
        .as("the focus is visible")
        .isNotEqualTo("none");
    byte[] before = chart.screenshot();
    page.keyboard().press("ArrowRight");
    announced("976.56 KiB, no stack, allocated at event 1, live at the end");
    assertThat(chart.screenshot()).as("the allocation is highlighted").isNotEqualTo(before);
    assertThat(data("selected")).isEqualTo("null");
    page.keyboard().press("ArrowRight");
    announced("512 KiB, no stack, allocated at event 2, freed at event 6");
    page.keyboard().press("ArrowRight");
    announced("1.91 MiB, no stack, allocated at event 3, freed at event 5");
    page.keyboard().press("ArrowDown");
    announced("512 KiB");
    page.keyboard().press("ArrowDown");
    announced("976.56 KiB");
    page.keyboard().press("ArrowUp");
    announced("512 KiB");
    page.keyboard().press("Enter");
    waitForData("selected", "1");
    announced("Pinned: 512 KiB");
    assertThat(page.locator(".view-side").innerText()).contains("Unpin", "0x500000");
    page.waitForURL("**sel=1*");
    page.keyboard().press("ArrowLeft");
    announced("976.56 KiB");
    page.keyboard().press("Escape");
    assertThat(data("selected")).as("the first Escape only clears the focus").isEqualTo("1");
    page.keyboard().press("Escape");
    waitForData("selected", "undefined");
    announced("No allocation is pinned.");
    page.keyboard().press("?");
    assertThat(page.locator("dialog.help").innerText())
        .contains("pin the allocation in focus", "previous event, next event");
    assertThat(consoleErrors).isEmpty();
  }

  private void announced(String text) {
    PlaywrightAssertions.assertThat(page.locator(".view > p[aria-live]").last()).containsText(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {SampleFiles.FRAGMENTED, "no-trace", "two-devices", "live"})
  void mapSelectsTheBlockOfTheLink(String shape) {
    for (String device : shape.equals("two-devices") ? List.of("0", "1") : List.of("0")) {
      String table = server.text(path(shape, "/segments?device=" + device));
      List<String> links =
          Pattern.compile("href=\"([^\"]*sel=0x[0-9a-f]+)\"")
              .matcher(table)
              .results()
              .map(each -> each.group(1).replace("&amp;", "&"))
              .toList();
      for (String link : List.of(links.getFirst(), links.getLast())) {
        open(link);
        String address = link.replaceFirst(".*sel=", "");
        waitForData("selected", address);
        assertThat(page.locator(".view-side").innerText()).contains("Unpin", address);
        assertThat(data("device")).isEqualTo(device);
      }
    }
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void linksOfThePanelsLeadToWhatTheyName() {
    String overview = server.text(path(SampleFiles.FRAGMENTED, ""));
    String block = overview.replaceFirst("(?s).*href=\"([^\"]*sel=0x[0-9a-f]+)\".*", "$1");
    open(block.replace("&amp;", "&"));
    Locator toTimeline = page.locator(".view-side a[href*='/timeline']");
    String row = toTimeline.getAttribute("href").replaceFirst(".*sel=", "");
    toTimeline.click();
    waitForData("selected", row);
    Locator address = page.locator(".view-side a[href*='/segments']");
    address.waitFor();
    assertThat(block).endsWith("sel=" + address.textContent());
    for (Locator link : page.locator(".view-side a").all()) {
      String href = link.getAttribute("href");
      String html = server.text(href.replaceFirst("#.*", ""));
      assertThat(html)
          .as(href)
          .containsPattern("data-event=|data-selected=|id=\"site\"|The same memory");
    }
    page.locator(".view-side a[href*='event=']").first().click();
    page.waitForURL("**event=*");
    assertThat(data("selected")).as("the allocation stays selected").isEqualTo(row);
    assertThat(event("Allocation of")).contains("active");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void nonsenseInTheUrlShowsTheChartAndANote() {
    for (String query : List.of("event=-1", "event=abc", "event=99999999", "sel=123456789")) {
      open(path(SampleFiles.HEALTHY, "/timeline?" + query));
      assertThat(page.locator(".notice[role=status]").textContent()).startsWith("There is no ");
      assertThat(page.locator(".view-event").isVisible()).isFalse();
      assertThat(page.locator(".view-side").innerText()).contains("Point at a rectangle");
    }
    open(path(SampleFiles.HEALTHY, "/segments?sel=0x12"));
    assertThat(page.locator(".notice[role=status]").textContent()).contains("No segment contains");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void pagesWithASelectionFitNarrowAndDarkScreens() {
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      int event = json(SampleFiles.FRAGMENTED, "/oom").at("/request/event").asInt();
      String site = server.text(path(SampleFiles.FRAGMENTED, ""));
      site = site.replaceFirst("(?s).*?href=\"([^\"]*site=[0-9]+)#site\".*", "$1");
      Map<String, String> pages =
          Map.of(
              "event", path(SampleFiles.FRAGMENTED, "/timeline?event=" + (event - 40) + "&sel=3"),
              "site", site.replace("&amp;", "&"),
              "peak", path(SampleFiles.FRAGMENTED, ""));
      pages.forEach(
          (name, path) -> {
            page.navigate(server.at(path).toString());
            page.waitForLoadState(LoadState.NETWORKIDLE);
            if (name.equals("event")) {
              page.locator("[data-state=ready]").waitFor();
            }
            page.evaluate(
                "() => new Promise(done => requestAnimationFrame(() =>"
                    + " requestAnimationFrame(done)))");
            Object wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth");
            assertThat(((Number) wide).intValue()).as(name).isLessThanOrEqualTo(0);
            page.screenshot(
                new Page.ScreenshotOptions()
                    .setPath(SCREENSHOTS.resolve("selected-" + name + look.suffix()))
                    .setFullPage(true));
          });
    }
  }
}
