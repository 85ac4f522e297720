package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the tabs carry from one page of a snapshot to the next, in Chromium. */
class ViewParametersIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  /** The links of the tabs of a page without scripts. */
  private static List<String> tabs(String path) {
    String nav = server.text(path).replaceFirst("(?s).*<nav class=\"tabs\"(.*?)</nav>.*", "$1");
    return Pattern.compile("href=\"([^\"]*)\"")
        .matcher(nav)
        .results()
        .map(each -> each.group(1).replace("&amp;", "&"))
        .toList();
  }

  private void open(String path) {
    page.navigate(server.at(path).toString());
    page.locator("[data-state=ready]").waitFor();
  }

  /** Follows a tab as soon as its link has these words. */
  private void follow(String title, String... words) {
    for (String word : words) {
      page.waitForFunction(
          "([title, word]) => [...document.querySelectorAll('[data-view-tabs] a')].some("
              + "tab => tab.textContent === title && tab.getAttribute('href').includes(word))",
          List.of(title, word));
    }
    Locator tab = with("[data-view-tabs] a", "^" + title + "$");
    String href = tab.getAttribute("href");
    tab.click();
    page.waitForURL(url -> url.endsWith(href));
    page.locator("[data-state=ready], table.sites").first().waitFor();
  }

  private Locator with(String selector, String text) {
    return page.locator(selector, new Page.LocatorOptions().setHasText(Pattern.compile(text)));
  }

  private void waitForData(String name, String value) {
    page.waitForFunction(
        "([name, value]) => String(document.querySelector('.view').dataset[name]) === value",
        List.of(name, value));
  }

  @Test
  void tabsCarryWhatThePageWasOpenedWith() {
    String view = "from=100&to=900&event=400&sel=3&range=200-300&text=train.py%3A41";
    for (String page : List.of("", "/timeline", "/events", "/sites", "/flame", "/oom", "/budget")) {
      assertThat(tabs(path(SampleFiles.FRAGMENTED, page + "?" + view)))
          .as(page)
          .isNotEmpty()
          .allMatch(tab -> tab.endsWith("?" + view));
    }
    assertThat(tabs(path(SampleFiles.FRAGMENTED, "/flame?at=77")))
        .allMatch(tab -> tab.endsWith("?event=77"));
    assertThat(tabs(path(SampleFiles.FRAGMENTED, "/allocations/5")))
        .allMatch(tab -> tab.endsWith("?sel=5"));
    assertThat(tabs(path("two-devices", "/timeline?device=1&sel=0")))
        .allMatch(tab -> tab.endsWith("?device=1&sel=0"));
  }

  @Test
  void tabsDoNotCarryNonsense() {
    for (String query :
        List.of(
            "from=9&to=3",
            "from=x&to=y",
            "from=5",
            "event=-1",
            "event=99999999",
            "event=99999999999999",
            "sel=0x12",
            "sel=99999999",
            "range=7",
            "text=%20",
            "text=" + "x".repeat(600))) {
      for (String shape : List.of(SampleFiles.FRAGMENTED, "no-trace")) {
        assertThat(tabs(path(shape, "?" + query)))
            .as(shape + " " + query)
            .noneMatch(tab -> tab.contains("?"));
      }
    }
  }

  @Test
  void rangeCursorAndSelectionGoFromPageToPage() {
    open(path(SampleFiles.FRAGMENTED, "/timeline?from=100&to=900&event=400&sel=3"));
    waitForData("selected", "3");
    page.keyboard().press(".");
    follow("Segments over time", "event=401", "sel=3", "from=100", "to=900");
    waitForData("selected", "3");
    waitForData("event", "401");
    waitForData("from", "100");
    waitForData("to", "900");

    follow("Events", "event=401");
    waitForData("event", "401");
    page.locator(".event-row[aria-selected=true]").waitFor();
    with(".view-selected", "Selected:").waitFor();

    follow("Flame graph", "event=401", "from=100");
    assertThat(page.locator("input[name=at]").inputValue()).isEqualTo("401");
    assertThat(page.locator("input[name=from]").inputValue()).isEqualTo("100");
    assertThat(page.locator("input[name=to]").inputValue()).isEqualTo("900");
    page.locator("[data-state=ready]").waitFor();
    page.locator("input[name=at]").fill("402");
    follow("Segments", "event=402", "sel=3");
    page.locator("[data-memory-map][data-state=ready]").waitFor();
    assertThat(page.locator(".moment-label").textContent()).isEqualTo("after event 402");

    follow("Sites", "event=402", "sel=3");
    assertThat(page.locator("tr[aria-current=true]").first().textContent())
        .contains("Site of the selected allocation");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void blockOfTheMapIsTheAllocationOfTheTimeline() {
    String overview = server.text(path(SampleFiles.FRAGMENTED, ""));
    String link = overview.replaceFirst("(?s).*href=\"([^\"]*sel=0x[0-9a-f]+)\".*", "$1");
    open(link.replace("&amp;", "&"));
    String href = page.locator(".view-side a[href*='/timeline']").getAttribute("href");
    String row = href.replaceFirst(".*sel=", "");
    String address =
        String.valueOf(page.evaluate("document.querySelector('.view').dataset.selected"));
    follow("Timeline", "sel=" + row);
    waitForData("selected", row);
    follow("Segments", "sel=" + row);
    waitForData("selected", address);
    assertThat(page.locator(".view-side").innerText()).contains("Unpin", address);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void linksOfAViewKeepWhatItShows() {
    open(path(SampleFiles.FRAGMENTED, "/timeline?from=100&to=900&event=400&sel=3"));
    with(".view-event a", "^list$").click();
    page.waitForURL("**/events*event=400*from=100*sel=3*");
    page.locator(".view-selected").waitFor();
    with(".view-event a", "^show allocation$").click();
    page.waitForURL("**/timeline*event=400*");
    assertThat(page.url()).contains("from=100", "to=900").doesNotContain("sel=3");
    page.locator("[data-state=ready]").waitFor();
    page.locator(".view-side a[href*='/allocations/']").click();
    page.waitForURL("**/allocations/*event=400*");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void rangeFollowsTheCursorOfTheEventList() {
    open(path(SampleFiles.FRAGMENTED, "/events?from=100&to=300"));
    page.waitForFunction("() => document.querySelector('.view').dataset.first === '100'");
    page.keyboard().press("o");
    page.waitForURL("**event=*");
    String event = page.url().replaceFirst(".*event=([0-9]+).*", "$1");
    follow("Timeline", "event=" + event);
    waitForData("event", event);
    Number from = (Number) page.evaluate("Number(document.querySelector('.view').dataset.from)");
    assertThat(from.intValue()).isBetween(Integer.parseInt(event) - 200, Integer.parseInt(event));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void allocationThatIsNotInMemoryIsSaidToBeMissing() {
    open(path("no-stacks", "/segments?sel=2"));
    page.locator(".view-side p:has-text('Freed at event 5.')").waitFor();
    follow("Timeline", "sel=2");
    waitForData("selected", "2");
    open(path("no-stacks", "/segments?sel=99"));
    assertThat(page.locator(".notice[role=status]").textContent()).contains("no allocation 99");
  }
}
