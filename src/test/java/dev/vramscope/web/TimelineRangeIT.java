package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marking events on the timelines, and Back after a jump, in Chromium. */
class TimelineRangeIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private void open(String pagePath) {
    go("/snapshots/" + shapes.get(SampleFiles.FRAGMENTED) + pagePath);
    page.locator("[data-state=ready]").waitFor();
  }

  private void waitForData(String name, String value) {
    page.waitForFunction(
        "([name, value]) => String(document.querySelector('.view').dataset[name]) === value",
        List.of(name, value));
  }

  private void waitForQuery(String words) {
    page.waitForFunction("words => location.search.includes(words)", words);
  }

  private void waitForNoQuery(String words) {
    page.waitForFunction("words => !location.search.includes(words)", words);
  }

  /** Presses a key that changes what is shown, and waits until the URL says so. */
  private void pressAndWaitForUrl(String key) {
    String before = page.url();
    page.keyboard().press(key);
    page.waitForFunction("before => location.href !== before", before);
  }

  private void drag(double from, double to, String key) {
    page.keyboard().down(key);
    drag(from, to);
    page.keyboard().up(key);
  }

  /** Drags over the chart from one share of its width to another. */
  private void drag(double from, double to) {
    BoundingBox box = page.locator(".timeline-canvas").boundingBox();
    page.mouse().move(box.x + from * box.width, box.y + box.height / 2);
    page.mouse().down();
    page.mouse().move(box.x + (from + to) / 2 * box.width, box.y + box.height / 2);
    page.mouse().move(box.x + to * box.width, box.y + box.height / 2);
    page.mouse().up();
  }

  /** The marked events as {@code 100-200}. */
  private String mark() {
    page.locator(".view-mark").waitFor();
    waitForQuery("range=");
    return page.url().replaceFirst(".*range=([0-9]+-[0-9]+).*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void shiftDragMarksEventsToZoomToAndToList(String pagePath) {
    open(pagePath);
    byte[] before = page.locator(".timeline-canvas").screenshot();
    drag(0.4, 0.6, "Shift");
    String mark = mark();
    assertThat(page.locator(".timeline-canvas").screenshot()).isNotEqualTo(before);
    assertThat(page.url()).as("the view has not moved").doesNotContain("from=");

    page.keyboard().press("z");
    waitForQuery("from=" + mark.replace("-", "&to="));
    assertThat(page.url()).contains("range=" + mark);
    page.goBack();
    waitForNoQuery("from=");
    waitForData("from", "0");
    assertThat(mark()).isEqualTo(mark);

    page.keyboard().press("m");
    page.locator("#range table").waitFor();
    assertThat(page.url()).contains("/timeline?", "range=" + mark, "#range");
    assertThat(page.locator("#range-events").inputValue()).isEqualTo(mark);
    page.locator(".view-mark button").first().click();
    waitForQuery("from=" + mark.replace("-", "&to="));
    page.locator(".view-mark button").last().click();
    waitForNoQuery("range=");
    assertThat(page.locator(".view-mark").isVisible()).isFalse();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void keysMarkFromTheCursorAndEscapeClears() {
    open("/timeline?event=500&from=480&to=520");
    Locator chart = page.locator(".timeline-canvas");
    chart.press("Shift+ArrowRight");
    assertThat(mark()).isEqualTo("500-501");
    chart.press("Shift+ArrowRight");
    chart.press("Shift+ArrowRight");
    waitForQuery("range=500-503");
    assertThat(page.locator(".view-mark p").textContent()).contains("500 to 502", "3 events");
    for (int i = 0; i < 5; i++) {
      chart.press("Shift+ArrowLeft");
    }
    waitForQuery("range=499-501");
    page.reload();
    page.locator("[data-state=ready]").waitFor();
    assertThat(mark()).isEqualTo("499-501");
    chart.press("Escape");
    waitForNoQuery("range=");
    assertThat(page.url()).as("the cursor stays").contains("event=500");
    chart.press("Escape");
    waitForNoQuery("event=");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void tableFollowsTheMarkAndBackAndEscapeCloseIt() {
    open("/timeline?from=480&to=520");
    Locator table = page.locator("#range table");
    page.keyboard().press("m");
    table.waitFor();
    waitForQuery("range=480-520");
    assertThat(page.url()).as("the visible events").contains("#range");
    assertThat(mark()).isEqualTo("480-520");
    page.keyboard().press("Escape");
    waitForNoQuery("range=");
    page.waitForCondition(() -> !table.isVisible());
    page.goBack();
    waitForQuery("range=480-520");
    table.waitFor();
    page.goBack();
    waitForNoQuery("range=");
    page.waitForCondition(() -> !table.isVisible());

    drag(0.4, 0.6, "Shift");
    String marked = mark();
    table.waitFor();
    assertThat(page.locator("#range-events").inputValue()).isEqualTo(marked);
    assertThat(page.url()).as("a mark alone does not scroll").doesNotContain("#range");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void tableIsSortedAndChangedInPlace() {
    open("/timeline?range=100-900");
    page.evaluate("() => { document.body.dataset.same = 'page'; }");
    page.locator("#range a[data-by=freed]").click();
    page.locator("#range a[data-by=freed][aria-current]").waitFor();
    assertThat(page.url()).contains("by=freed", "range=100-900");
    page.locator("#range-events").fill("1,000 to 1,200");
    page.locator("#range-events").press("Enter");
    waitForQuery("range=1000-1200");
    assertThat(page.locator(".view-mark p").textContent()).contains("1,000 to 1,199");
    page.locator("#range a[data-by=freed][aria-current]").waitFor();
    assertThat(page.evaluate("() => document.body.dataset.same")).isEqualTo("page");

    page.locator("#range-events").fill("9-3");
    page.locator("#range-events").press("Enter");
    page.locator(".notice:has-text('9-3 is not a range of events')").waitFor();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void eventsOfASiteInTheRangeAreOneClickAway() {
    open("/timeline?range=100-900");
    Locator row = page.locator("#range tbody tr").first();
    int allocations =
        Integer.parseInt(row.locator("td small").first().textContent().replaceAll("[^0-9]", ""));
    row.locator("a:has-text('Events')").click();
    page.locator("[data-event-list][data-state=ready]").waitFor();
    assertThat(page.url()).contains("events=100-900", "site=");
    page.locator("select[name=action]").selectOption("alloc");
    waitForQuery("action=alloc");
    page.waitForFunction(
        "words =>" + " document.querySelector('.view-status').textContent.startsWith(words)",
        allocations + " event");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void buttonLetsADragMarkOnTouchScreens() {
    openWindow(400, 800, ColorScheme.DARK);
    open("/timeline");
    Locator select =
        page.locator(
            ".view-bar button",
            new com.microsoft.playwright.Page.LocatorOptions().setHasText("Select"));
    select.click();
    assertThat(select.getAttribute("aria-pressed")).isEqualTo("true");
    drag(0.5, 0.7);
    mark();
    select.click();
    assertThat((Boolean) page.evaluate("() => document.documentElement.scrollWidth <= 400"))
        .isTrue();
    assertThat(consoleErrors).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void backUndoesEachJump(String pagePath) {
    open(pagePath + "?from=1000&to=2000");
    page.keyboard().press("p");
    waitForNoQuery("from=1000&");
    String peak = page.url();
    page.keyboard().press("f");
    waitForNoQuery("from=");
    waitForData("from", "0");
    BoundingBox map = page.locator(".timeline-minimap").boundingBox();
    page.mouse().move(map.x + 0.3 * map.width, map.y + map.height / 2);
    page.mouse().down();
    page.mouse().move(map.x + 0.4 * map.width, map.y + map.height / 2);
    page.mouse().up();
    waitForQuery("from=");
    Locator chart = page.locator(".timeline-canvas");
    chart.press("ArrowRight");
    chart.press("Enter");
    waitForQuery("sel=");
    pressAndWaitForUrl("w");

    page.goBack();
    waitForNoQuery("sel=");
    waitForData("selected", "undefined");
    assertThat(page.locator(".view-side").innerText()).doesNotContain("Unpin");
    page.goBack();
    waitForNoQuery("from=");
    waitForData("from", "0");
    page.goBack();
    waitForQuery("from=");
    assertThat(page.url()).isEqualTo(peak);
    page.goBack();
    waitForQuery("from=1000&to=2000");
    waitForData("from", "1000");
    page.goForward();
    waitForQuery(peak.replaceFirst(".*(from=[0-9]+).*", "$1"));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void zoomingAndMovingIsNotAJump() {
    open("/events");
    open("/timeline?from=1000&to=2000");
    for (String key : List.of("w", "a", "d", "s", ".", ".")) {
      pressAndWaitForUrl(key);
    }
    waitForQuery("event=");
    page.goBack();
    page.waitForURL("**/events*");
  }

  @Test
  void backOfTheSegmentMapReturnsToMomentAndBlock() {
    open("/segments?event=1000");
    page.keyboard().press("o");
    waitForNoQuery("event=1000");
    String failure = page.url().replaceFirst(".*event=([0-9]+).*", "$1");
    page.locator(".moment-bar button").last().click();
    waitForNoQuery("event=");
    page.goBack();
    waitForData("event", failure);
    page.goBack();
    waitForData("event", "1000");
    assertThat(page.locator(".moment-label").textContent()).isEqualTo("after event 1,000");
    BoundingBox box = page.locator(".view-canvas").boundingBox();
    page.mouse().click(box.x + box.width / 3, box.y + 60);
    waitForQuery("sel=");
    page.goBack();
    waitForNoQuery("sel=");
    waitForData("selected", "undefined");
    assertThat(consoleErrors).isEmpty();
  }
}
