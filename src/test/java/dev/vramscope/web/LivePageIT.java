package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Hosting, viewing and closing an allocator in headless Chromium. Screenshots are written to {@code
 * target/screenshots}, and those of the live page also to the folder in the system property {@code
 * vramscope.screenshots}.
 */
class LivePageIT extends InBrowser {
  @Override
  @AfterEach
  void closeWindow() {
    super.closeWindow();
    Json.of(server.get("/api/v1/allocators"))
        .forEach(hosted -> server.delete("/api/v1/allocators/" + hosted.get("id").longValue()));
  }

  @Override
  void openWindow(int width, int height, ColorScheme scheme) {
    super.openWindow(width, height, scheme);
    page.onDialog(dialog -> dialog.accept());
  }

  /** Hosts an allocator with the form, which opens its page. */
  private void host(String device, String kind, String settings, String name) {
    page.navigate(server.at("/live").toString());
    Locator form = page.locator("form.host-form");
    form.locator("[name=device]").selectOption(device);
    form.locator("[name=kind]").selectOption(kind);
    form.locator("[name=settings]").fill(settings);
    form.locator("[name=name]").fill(name);
    form.locator("button").click();
  }

  private void run(String workload, int operationsPerSecond, String scale) {
    Locator form = page.locator("form.run-form");
    form.locator("[name=workload]").selectOption(workload);
    form.locator("[name=operationsPerSecond]").fill(String.valueOf(operationsPerSecond));
    form.locator("[name=scale]").fill(scale);
    form.locator("button").click();
  }

  private byte[] map() {
    return page.locator(".live-map").screenshot();
  }

  /** Waits until the page has received this many more frames. */
  private void awaitFrames(int count) {
    page.waitForFunction(
        "version => +document.querySelector('[data-live-allocator]').dataset.version >= version",
        version() + count);
  }

  private int version() {
    return Integer.parseInt(page.locator("[data-live-allocator]").getAttribute("data-version"));
  }

  private void ready() {
    page.locator("[data-live-allocator][data-state=ready]").waitFor();
  }

  /**
   * Waits until the map has allocated blocks. Events that tell so are in the log only for a moment.
   */
  private void waitForBlocks() {
    page.waitForFunction(
        "() => !document.querySelector('.view-legend:not(.live-curve-legend)').innerText"
            + ".includes('allocated 0 B')");
  }

  @Test
  void firstAllocatorIsHostedWithOneClick() {
    page.navigate(server.at("/live").toString());
    page.locator(".quiet button.primary").click();
    page.waitForURL("**/live/*");
    ready();
    assertThat(page.locator(".live-connection").textContent()).contains("live");
    byte[] empty = map();
    assertThat(page.locator(".live-empty").innerText()).contains("Nothing reserved yet");

    run("training-varying", 2000, "1");
    page.locator(".run-state.running").waitFor();
    page.waitForFunction("() => /[1-9][0-9,]* events/.test(document.body.innerText)");
    waitForBlocks();
    byte[] full = map();
    assertThat(full).isNotEqualTo(empty);
    assertThat(page.locator(".live-empty").isHidden()).isTrue();
    page.waitForCondition(() -> !Arrays.equals(map(), full));

    page.locator(".view-bar button").first().click();
    page.mouse().move(2, 2);
    assertThat(page.locator(".live-connection").textContent()).contains("frozen");
    // The last highlights fade; then the map stays the same while frames arrive.
    page.waitForCondition(() -> Arrays.equals(map(), map()));
    byte[] frozen = map();
    awaitFrames(10);
    assertThat(map()).isEqualTo(frozen);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void hoveredBlockShowsItsScopeAndPinnedBlockIsInTheUrl() {
    host("sim:16GiB", "caching", "", "hovered");
    ready();
    run("training-fixed", 300, "1");
    waitForBlocks();
    page.locator(".view-bar button").first().click();
    Locator map = page.locator(".live-map");
    map.click(new Locator.ClickOptions().setPosition(90, 56));
    String panel = page.locator(".view-side").innerText();
    assertThat(panel).contains("Unpin", "Address", "Stream", "training-fixed");
    page.waitForURL("**?sel=0x*");
    map.press("Escape");
    assertThat(page.locator(".view-side").innerText()).doesNotContain("Unpin");
  }

  @Test
  void outOfMemoryLinksItsPostMortemAndTheAllocatorContinues() {
    host("sim:1GiB", "caching", "", "too small");
    ready();
    run("leak", 0, "1");
    Locator link = page.locator(".incidents a.note-more").first();
    link.waitFor();
    page.locator(".log-oom").first().waitFor();
    assertThat(page.locator(".run-note").first().innerText()).contains("Failed.");
    assertThat(page.locator(".run-note a").first().getAttribute("href")).contains("/oom");
    link.click();
    page.waitForURL("**/snapshots/**/oom**");
    assertThat(page.locator(".verdict .sentence").count()).isPositive();
    page.goBack();
    ready();
    assertThat(page.locator(".live-connection").textContent()).contains("live");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void everyFailedRunLinksToItsOwnPostMortem() {
    host("sim:1GiB", "caching", "", "too small twice");
    ready();
    Set<String> pages = new HashSet<>();
    for (int count = 1; count <= 2; count++) {
      run("leak", 0, "1");
      page.locator(".run-note").nth(count - 1).waitFor();
      page.waitForFunction(
          "count => document.querySelectorAll('.incidents li').length === count", count);
      pages.add(page.locator(".run-note a").first().getAttribute("href"));
    }
    assertThat(pages).hasSize(2);
    assertThat(page.locator(".run-note a").count()).isEqualTo(2);

    // The event numbers of the page are those of the stored trace.
    Locator event = page.locator(".incidents li").first().locator("a[href*='event=']");
    String number = event.innerText().replaceAll("[^0-9]", "");
    assertThat(event.getAttribute("href")).endsWith("timeline?event=" + number);
    assertThat(page.locator(".log-oom .log-number").first().innerText().replace(",", ""))
        .isEqualTo(number);
    event.click();
    page.waitForURL("**/timeline?event=" + number + "*");
    page.goBack();
    page.locator(".run-note a").nth(1).waitFor();
    page.locator(".run-note a").first().click();
    page.waitForURL("**/oom**");
    assertThat(page.locator("body").innerText().replace(",", ""))
        .containsIgnoringWhitespaces("Event " + number);
  }

  @Test
  void raceBetweenStreamsIsDetectedAndShown() {
    host("sim:8GiB", "caching", "", "racing");
    ready();
    run("cross-stream-unrecorded", 0, "1");
    Locator note = page.locator(".run-note");
    note.waitFor();
    assertThat(note.innerText()).contains("Race detected.", "while a stream was still using it");
  }

  @Test
  void showsPinnedMemoryOfTheInputPipeline() {
    host("sim:8GiB", "caching", "", "loading");
    ready();
    run("input-pipeline", 0, "0.1");
    Locator pinned = page.locator("#pinned-memory");
    pinned.waitFor();
    assertThat(pinned.innerText())
        .contains("Pinned host memory", "active_bytes", "allocated_bytes", "num_host_alloc");
    long id = Json.of(server.get("/api/v1/allocators")).get(0).get("id").longValue();
    assertThat(
            Json.of(server.get("/api/v1/allocators/" + id + "/host-memory-stats"))
                .path("active_bytes.peak")
                .asLong())
        .isPositive();
  }

  @Test
  void invalidSettingsShowPyTorchsMessageAtTheField() {
    host("sim:8GiB", "caching", "max_split_size_mb:3", "wrong");
    assertThat(page.locator(".field-problem").innerText())
        .contains("settings", "max_split_size_mb");
    assertThat(page.locator("[name=settings]").last().getAttribute("aria-invalid"))
        .isEqualTo("true");
    assertThat(page.locator("[name=settings]").last().inputValue())
        .isEqualTo("max_split_size_mb:3");
  }

  @Test
  void closingRedirectsToTheListAndNotifiesOtherViewers() {
    host("sim:8GiB", "caching", "expandable_segments:True", "closing");
    ready();
    run("training-varying", 200, "0.1");
    Page other = context.newPage();
    other.clock().install();
    other.onConsoleMessage(this::collectErrors);
    other.navigate(page.url());
    other.locator("[data-live-allocator][data-state=ready]").waitFor();
    page.bringToFront();
    page.locator("button.danger").click();
    page.waitForURL("**/live");
    assertThat(page.locator("table.hosted").count()).isZero();
    other.bringToFront();
    other.locator(".live-ended").waitFor();
    assertThat(other.locator(".live-ended").innerText()).contains("closed");
    assertThat(other.locator("form[action^='/live/'] button:not([disabled])").count()).isZero();
    assertThat(other.locator(".run-state.running").count()).isZero();
    assertThat(other.locator("[data-form-problem]").innerText()).contains("closed");
    List<String> requests = new ArrayList<>();
    other.onRequest(request -> requests.add(request.url()));
    other.clock().fastForward(60_000);
    other.evaluate("() => new Promise(requestAnimationFrame)");
    assertThat(requests).isEmpty();
    // At most one request of each page was in flight when the allocator was closed.
    assertThat(consoleErrors).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void startingAWorkloadOnAClosedAllocatorShowsTheReason() {
    host("sim:8GiB", "caching", "", "closed elsewhere");
    ready();
    // The page does not receive the end of the feed: only the response to the form reports it.
    page.addInitScript("delete window.SharedWorker"); // Its requests cannot be intercepted.
    page.route("**/events?**", route -> route.abort());
    page.route("**/status", route -> route.abort());
    page.reload();
    String path = page.url().substring(page.url().indexOf("/live/"));
    server.delete("/api/v1/allocators" + path.substring("/live".length()));
    run("leak", 0, "1");
    Locator problem = page.locator("[data-form-problem]");
    problem.waitFor();
    assertThat(problem.innerText()).startsWith("Closed: Allocator ").doesNotContain("GET", "API");
    assertThat(page.locator("form[action^='/live/'] button:not([disabled])").count()).isZero();
  }

  @Test
  void latencyOfASimulatedDeviceHasAWarning() {
    host("sim:8GiB", "caching", "", "latency");
    ready();
    page.locator(".meta a").click();
    page.locator(".title button.primary").click();
    page.locator("table.latencies")
        .first()
        .waitFor(new Locator.WaitForOptions().setTimeout(120_000));
    assertThat(page.locator("table.latencies").count()).isEqualTo(3);
    assertThat(page.locator(".notice").first().innerText()).contains("simulated");
  }

  @Test
  void livePagesFitInLightAndDarkWideAndNarrow() {
    host("sim:16GiB", "caching", "", "training");
    ready();
    String live = page.url();
    run("training-varying", 2000, "1");
    page.locator(".run-state.running").waitFor();
    server.post(live.substring(live.indexOf("/live")) + "/latency", new byte[0]);
    String folder = System.getProperty("vramscope.screenshots");
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), look.width() == 400 ? 800 : 1000, look.scheme());
      String suffix = look.suffix();
      page.navigate(live);
      ready();
      awaitFrames(100); // so that the screenshot has a curve
      screenshot("live" + suffix, folder);
      page.navigate(live + "/latency");
      page.locator("table.latencies")
          .first()
          .waitFor(new Locator.WaitForOptions().setTimeout(120_000));
      screenshot("latency" + suffix, null);
      page.navigate(server.at("/live").toString());
      screenshot("live-list" + suffix, null);
    }
    assertThat(consoleErrors).isEmpty();
  }

  /** Takes a screenshot; the page must not be wider than the window. */
  private void screenshot(String name, @Nullable String folder) {
    Object overflow =
        page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assertThat(overflow).as(name).isEqualTo(0);
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name)).setFullPage(true));
    if (folder != null) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(folder, name)));
    }
  }
}
