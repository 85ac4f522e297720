package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import dev.vramscope.intake.JsonSnapshots;
import dev.vramscope.web.lab.LearnTopics;
import dev.vramscope.web.overview.ExportFormat;
import dev.vramscope.web.snapshot.Tab;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The pages in a real headless Chromium. Screenshots of every page are written to {@code
 * target/screenshots}; with {@code -Dvramscope.screenshots=docs/screenshots} the ones that the
 * README shows are written there too.
 */
class BrowserIT extends InBrowser {
  @Test
  void droppingAFileOpensItsPage() {
    go("/");
    drop("snapshot.pickle.gz", SampleFiles.gzip(SampleFiles.FRAGMENTED));
    page.waitForURL("**/snapshots/*");
    assertThat(page.locator(".explanation p").first().textContent()).contains("768 MiB");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void rejectedFileShowsTheReasonAndIsNotStored() {
    go("/");
    drop("malicious.pickle", "cos\nsystem\n(S'id'\ntR.".getBytes(StandardCharsets.US_ASCII));
    Locator rejected = page.locator(".drop-item[data-state='failed']");
    rejected.waitFor();
    String text = rejected.textContent();
    byte[] response =
        server
            .post(
                "/api/v1/snapshots", "cos\nsystem\n(S'id'\ntR.".getBytes(StandardCharsets.US_ASCII))
            .body();
    assertThat(text)
        .contains(Json.of(new String(response, StandardCharsets.UTF_8)).path("detail").asString());
    screenshot("rejected-1280.png");
    // The browser logs an error for every unsuccessful response.
    assertThat(consoleErrors).allMatch(line -> line.contains("422"));
  }

  @ParameterizedTest
  @EnumSource(Tab.class)
  void everySnapshotPageOpensWithoutConsoleErrors(Tab tab) {
    for (String sample : List.of(SampleFiles.FRAGMENTED, SampleFiles.HEALTHY)) {
      String path = "/snapshots/" + stored(sample) + tab.path();
      go(path);
      ready(tab);
      assertThat(page.locator(".tabs [aria-current]").textContent()).startsWith(tab.title());
      assertThat(left(".tabs")).as("the tabs stay where they are").isEqualTo(left(".wordmark"));
    }
    assertThat(consoleErrors).isEmpty();
  }

  private double left(String selector) {
    return page.locator(selector).boundingBox().x;
  }

  @Test
  void otherPagesOpenWithoutConsoleErrors() {
    List<String> others =
        new ArrayList<>(List.of("/", "/snapshots", "/snapshots?q=sample", "/about", "/learn"));
    LearnTopics.LIST.forEach(topic -> others.add(topic.href()));
    for (String path : others) {
      go(path);
      assertThat(page.locator("h1").count()).as(path).isEqualTo(1);
    }
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void sizesOfExportsFollowThePageOfManyEvents() {
    byte[] many = JsonSnapshots.file(1, 100_001, 2);
    go("/snapshots/" + Json.of(server.post("/api/v1/snapshots", many)).path("id").asString());
    Locator sizes = page.locator("#export dd .muted");
    page.waitForCondition(() -> sizes.count() == ExportFormat.values().length);
    assertThat(sizes.first().innerText()).startsWith("about ");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void zoomAndPanChangeTheChartAndTheUrl() {
    go("/snapshots/" + stored(SampleFiles.HEALTHY) + "/timeline");
    ready(Tab.TIMELINE);
    byte[] whole = chart();
    page.locator(".view canvas").first().hover();
    page.keyboard().press("w");
    page.keyboard().press("w");
    page.waitForURL("**from=*");
    settle();
    byte[] zoomed = chart();
    String zoomedAddress = page.url();
    assertThat(zoomed).isNotEqualTo(whole);

    page.keyboard().press("d");
    page.waitForFunction("before => location.href !== before", zoomedAddress);
    settle();
    assertThat(chart()).isNotEqualTo(zoomed);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void reloadRestoresTheView() {
    String address = "/snapshots/" + stored(SampleFiles.HEALTHY) + "/timeline?from=3000&to=4200";
    go(address);
    ready(Tab.TIMELINE);
    settle();
    byte[] before = chart();
    page.reload();
    ready(Tab.TIMELINE);
    settle();
    assertThat(URLDecoder.decode(page.url(), StandardCharsets.UTF_8))
        .contains("from=3000", "to=4200");
    assertThat(chart()).isEqualTo(before);
    go("/snapshots/" + stored(SampleFiles.HEALTHY) + "/timeline");
    ready(Tab.TIMELINE);
    settle();
    assertThat(chart()).as("the whole trace looks different").isNotEqualTo(before);
  }

  @Test
  void chosenThemeIsRemembered() {
    go("/");
    page.locator("[data-theme-toggle]").click();
    assertThat(page.locator("html").getAttribute("data-theme")).isEqualTo("dark");
    go("/about");
    assertThat(page.locator("html").getAttribute("data-theme")).isEqualTo("dark");
    assertThat(server.text("/about", "Cookie", "theme=dark")).contains("data-theme=\"dark\"");
  }

  @Test
  void termsShowTheirDefinitionOnHoverFocusAndEscape() {
    go("/snapshots/" + stored(SampleFiles.FRAGMENTED));
    Locator tooltip = page.locator(".term-tooltip");
    Locator term = page.locator(".figures a.term").first();
    assertThat(tooltip.isVisible()).isFalse();
    term.hover();
    tooltip.waitFor();
    assertThat(tooltip.textContent()).contains("after rounding");
    page.keyboard().press("Escape");
    assertThat(tooltip.isVisible()).isFalse();
    page.mouse().move(1, 1);
    page.keyboard().press("Tab");
    page.evaluate("() => document.querySelector('.figures a.term').focus()");
    tooltip.waitFor();
    assertThat(term.getAttribute("aria-description")).contains("after rounding");
    page.keyboard().press("Enter");
    page.waitForURL("**/learn/reserved");
    assertThat(page.locator("h1").textContent()).isEqualTo("Why reserved is more than allocated");
    go("/about#term-allocated");
    page.locator("#term-allocated + dd a").click();
    page.waitForURL("**/learn/reserved");
  }

  @Test
  void noPageOfLearnIsWiderThanANarrowScreen() {
    openWindow(400, 800, ColorScheme.LIGHT);
    for (String path : LearnTopics.LIST.stream().map(topic -> topic.href()).toList()) {
      go(path);
      assertFitsTheWindow(path);
    }
  }

  private void assertFitsTheWindow(String path) {
    Object wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth");
    assertThat(((Number) wide).intValue()).as(path).isLessThanOrEqualTo(0);
  }

  @Test
  void everyPageFitsItsWindowAndIsOnAScreenshot() {
    String id = stored(SampleFiles.FRAGMENTED);
    stored(SampleFiles.HEALTHY);
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      for (String path : paths(id)) {
        go(path);
        Arrays.stream(Tab.values())
            .filter(tab -> path.equals("/snapshots/" + id + tab.path()))
            .forEach(this::ready);
        awaitFrames();
        assertFitsTheWindow(path + look.suffix());
        String name = path.replace("/snapshots/" + id, "/snapshot").replace('/', '-').substring(1);
        screenshot((name.isEmpty() ? "dashboard" : name) + look.suffix());
      }
    }
    String folder = System.getProperty("vramscope.screenshots");
    if (folder != null) {
      openWindow(1280, 900, ColorScheme.LIGHT);
      writeForReadme(folder, "overview", "/snapshots/" + id, null);
      writeForReadme(folder, "timeline", "/snapshots/" + id + "/timeline", Tab.TIMELINE);
      writeForReadme(folder, "oom", "/snapshots/" + id + "/oom", null);
    }
  }

  private void writeForReadme(String folder, String name, String path, @Nullable Tab tab) {
    go(path);
    if (tab != null) {
      ready(tab);
    }
    settle();
    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(folder, name + ".png")));
  }

  private static List<String> paths(String id) {
    List<String> paths =
        new ArrayList<>(
            List.of("/", "/snapshots", "/about", "/learn", "/learn/expandable-segments"));
    Arrays.stream(Tab.values()).forEach(tab -> paths.add("/snapshots/" + id + tab.path()));
    return paths;
  }

  /** Waits until a page that has a canvas shows its data. */
  private void ready(Tab tab) {
    if (tab == Tab.TIMELINE || tab == Tab.SEGMENTS || tab == Tab.SEGMENT_TIMELINE) {
      page.locator(".view:is([data-state=ready], [data-state=empty])").first().waitFor();
    }
  }

  /** Waits until all requests are complete and two frames are drawn. */
  private void settle() {
    page.waitForLoadState(LoadState.NETWORKIDLE);
    awaitFrames();
  }

  private void awaitFrames() {
    page.evaluate(
        "() => document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() =>"
            + " requestAnimationFrame(done))))");
  }

  private byte[] chart() {
    page.mouse().move(2, 2);
    return page.locator(".view canvas").first().screenshot();
  }

  private void screenshot(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name)).setFullPage(true));
  }

  private static String stored(String sample) {
    return Json.of(
            server.post("/api/v1/snapshots?labels=sample&name=" + sample, SampleFiles.gzip(sample)))
        .path("id")
        .asString();
  }
}
