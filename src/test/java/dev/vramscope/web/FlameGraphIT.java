package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The flame graph, as data and in Chromium. */
class FlameGraphIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  private static JsonNode flame(String shape, String query) {
    return Json.of(server.get("/api/v1" + path(shape, "/flame") + query));
  }

  private void open(String shape, String query) {
    page.navigate(server.at(path(shape, "/flame" + query)).toString());
    page.locator("[data-flame-graph][data-state=ready]").waitFor();
  }

  private Locator bars() {
    return page.locator(".flame-bar[data-node]");
  }

  @Test
  void totalsAreThoseOfTheOtherPages() {
    JsonNode sites = Json.of(server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/sites")));
    long live = 0;
    long peak = 0;
    for (JsonNode row : sites.path("rows")) {
      live += row.path("liveBytes").asLong();
      peak += row.path("peakBytes").asLong();
    }
    assertThat((long) flame(SampleFiles.FRAGMENTED, "?at=end").path("total").asDouble())
        .isEqualTo(live);
    assertThat((long) flame(SampleFiles.FRAGMENTED, "").path("total").asDouble()).isEqualTo(peak);
    JsonNode free = flame(SampleFiles.FRAGMENTED, "?measure=free&at=end");
    JsonNode ledger = Json.of(server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/ledger")));
    assertThat(ledger.toString()).contains(":" + (long) free.path("total").asDouble());
  }

  @Test
  void downloadsHaveAllStacksOfTheGraph() {
    double total = flame(SampleFiles.FRAGMENTED, "?measure=allocated").path("total").asDouble();
    String export = "/api/v1" + path(SampleFiles.FRAGMENTED, "/flame/export?measure=allocated");
    long folded =
        server
            .text(export)
            .lines()
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    assertThat(folded).isEqualTo((long) total).isPositive();
    JsonNode speedscope = Json.of(server.get(export + "&format=speedscope"));
    assertThat(speedscope.path("profiles").path(0).path("endValue").asLong()).isEqualTo(folded);
    assertThat(server.get(export + "&format=pprof").headers().firstValue("Content-Disposition"))
        .hasValueSatisfying(name -> assertThat(name).contains(".pb.gz"));
    assertThat(server.get(export + "&format=svg").statusCode()).isEqualTo(400);
  }

  @Test
  void pageOpensWithANoteOnEachParameterThatMeansNothing() {
    String flame = path(SampleFiles.FRAGMENTED, "/flame");
    assertThat(server.text(flame + "?measure=size&frames=none&at=987,715,000"))
        .contains("Measure is size.", "Frames is none.", "At is 987715000.");
    assertThat(server.text(flame + "?measure=allocated&from=9&to=3")).contains("To is 3.");
    assertThat(server.text(flame + "?measure=allocated&from=1,000&to=1,200"))
        .contains("1000")
        .doesNotContain("From is", "To is");
    assertThat(server.text(flame + "?from=abc")).contains("from cannot be abc.");
  }

  @Test
  void linksOfDownloadsFollowTheChoice() {
    open(SampleFiles.FRAGMENTED, "");
    page.locator("select[name=measure]").selectOption("never");
    Locator link = page.locator("a[data-flame-export]").last();
    page.waitForCondition(() -> link.getAttribute("href").contains("measure=never"));
    assertThat(link.getAttribute("href")).contains("format=pprof");
    assertThat(server.get(link.getAttribute("href")).statusCode()).isEqualTo(200);
  }

  @Test
  void parametersThatMeanNothingAreRefused() {
    for (String query :
        List.of(
            "?measure=all",
            "?at=now",
            "?at=99999999",
            "?from=-1",
            "?from=5&to=4&measure=held",
            "?frames=c",
            "?path=x",
            "?path=99999999",
            "?limit=0")) {
      assertThat(
              server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/flame") + query).statusCode())
          .as(query)
          .isEqualTo(400);
    }
  }

  @Test
  void selectingABarZoomsAndBackReturns() {
    open(SampleFiles.FRAGMENTED, "");
    assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('.flame-bar')].filter(bar =>"
                    + " bar.textContent !== '' && (bar.clientWidth < 20 || (bar.scrollWidth >"
                    + " bar.clientWidth && getComputedStyle(bar).textOverflow !== 'ellipsis')))"
                    + ".length"))
        .as("bars whose text is cut within a letter")
        .isEqualTo(0);
    String whole = bars().nth(1).textContent();
    int count = bars().count();
    bars().nth(2).click();
    page.waitForURL("**path=**");
    page.locator(".flame-crumbs button:nth-of-type(2)").waitFor();
    assertThat(bars().count()).isLessThanOrEqualTo(count);
    page.goBack();
    page.locator("[data-flame-graph][data-state=ready]").waitFor();
    assertThat(bars().nth(1).textContent()).isEqualTo(whole);
    assertThat(page.url()).doesNotContain("path=");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void searchMarksBarsAndSumsTheirStacks() {
    open(SampleFiles.FRAGMENTED, "");
    page.locator("input[name=text]").fill("forward");
    page.locator(".flame-bar.is-match").first().waitFor();
    page.waitForFunction(
        "() => document.querySelector('.flame-matched').textContent.includes('%')");
    page.waitForURL("**text=**");
    JsonNode answer = flame(SampleFiles.FRAGMENTED, "?text=forward");
    double share = answer.get("matched").asDouble() / answer.get("total").asDouble();
    assertThat(share).isStrictlyBetween(0.0, 1.0);
    String shown =
        page.locator(".flame-matched").textContent().replaceFirst(".*\\(([0-9.]+) %\\).*", "$1");
    assertThat(Double.parseDouble(shown)).isCloseTo(100 * share, within(0.1));
  }

  @Test
  void keysMoveBetweenBars() {
    open(SampleFiles.FRAGMENTED, "?inverted=true");
    page.locator(".flame-bars").focus();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("ArrowRight");
    page.keyboard().press("Enter");
    page.waitForURL("**path=**");
    page.locator(".flame-bars").focus();
    page.keyboard().press("f");
    page.waitForFunction("() => !location.search.includes('path=')");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void everyShapeHasAGraphOrSaysWhyNot() {
    shapes.forEach(
        (shape, id) -> {
          page.navigate(server.at("/snapshots/" + id + "/flame").toString());
          page.locator("[data-flame-graph]:not([data-state=loading])[data-state], .empty-state")
              .first()
              .waitFor();
          assertThat(page.locator("[data-state=error]").count()).as(shape).isZero();
        });
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void fitsOnAPhoneInTheDark() {
    openWindow(400, 800, ColorScheme.DARK);
    open(SampleFiles.FRAGMENTED, "?measure=never");
    assertThat((Boolean) page.evaluate("() => document.documentElement.scrollWidth <= 400"))
        .isTrue();
  }
}
