package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Hosting, watching and closing an allocator in headless Chromium. Screenshots are written to
 * {@code target/screenshots}; with {@code -Dvramscope.screenshots=docs/screenshots} there too.
 */
class LivePageIT extends InBrowser {
  @Override
  @AfterEach
  void leave() {
    super.leave();
    Json.of(server.get("/api/v1/allocators"))
        .forEach(hosted -> server.delete("/api/v1/allocators/" + hosted.get("id").longValue()));
  }

  @Override
  void enter(int width, int height, ColorScheme scheme) {
    super.enter(width, height, scheme);
    page.onDialog(dialog -> dialog.accept());
  }

  /** Hosts an allocator by the form, and is then on its page. */
  private void host(String device, String kind, String settings, String name) {
    page.navigate(server.at("/live").toString());
    Locator form = page.locator("form.host-form");
    form.locator("[name=device]").selectOption(device);
    form.locator("[name=kind]").selectOption(kind);
    form.locator("[name=settings]").fill(settings);
    form.locator("[name=name]").fill(name);
    form.locator("button").click();
  }

  private void run(String workload, int eventsPerSecond, String scale) {
    Locator form = page.locator("form.run-form");
    form.locator("[name=workload]").selectOption(workload);
    form.locator("[name=eventsPerSecond]").fill(String.valueOf(eventsPerSecond));
    form.locator("[name=scale]").fill(scale);
    form.locator("button").click();
  }

  private byte[] strip() {
    return page.locator(".live-map").screenshot();
  }

  private void ready() {
    page.locator("[data-live-allocator][data-state=ready]").waitFor();
  }

  @Test
  void firstAllocatorIsHostedWithOneClick() {
    page.navigate(server.at("/live").toString());
    page.locator(".quiet button.primary").click();
    page.waitForURL("**/live/*");
    ready();
    assertThat(page.locator(".live-connection").textContent()).contains("live");
    byte[] empty = strip();
    assertThat(page.locator(".live-empty").innerText()).contains("Nothing reserved yet");

    run("training-varying", 2000, "1");
    page.locator(".run-state.running").waitFor();
    page.waitForFunction("() => /[1-9][0-9,]* events/.test(document.body.innerText)");
    page.waitForFunction(
        "() => !document.querySelector('.view-legend:not(.live-curve-legend)').innerText"
            + ".includes('allocated 0 B')");
    byte[] full = strip();
    assertThat(full).isNotEqualTo(empty);
    assertThat(page.locator(".live-empty").isHidden()).isTrue();
    page.waitForCondition(() -> !Arrays.equals(strip(), full));

    page.locator(".view-bar button").first().click();
    page.mouse().move(2, 2);
    // Nothing reports that the last flash has faded, or that a frozen picture does not change.
    page.waitForTimeout(700);
    assertThat(page.locator(".live-connection").textContent()).contains("frozen");
    byte[] frozen = strip();
    page.waitForTimeout(300);
    assertThat(strip()).isEqualTo(frozen);
    assertThat(complaints).isEmpty();
  }

  @Test
  void hoveredBlockShowsItsScopeAndPinnedBlockIsInTheUrl() {
    host("sim:16GiB", "caching", "", "pointed at");
    ready();
    run("training-fixed", 300, "1");
    page.waitForFunction(
        "() => /parameters.layer/.test(document.querySelector('.live-log').innerText)");
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
    Locator link = page.locator(".incidents a").first();
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
    assertThat(complaints).isEmpty();
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
    other.onConsoleMessage(this::listen);
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
    other.waitForTimeout(3000); // long enough for several requests, if there were any
    // At most the one that was on its way when the allocator was closed.
    assertThat(complaints).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void startingAWorkloadOnAClosedAllocatorShowsTheReason() {
    host("sim:8GiB", "caching", "", "closed elsewhere");
    ready();
    // Its feed never says that it ends: the form finds out.
    page.route("**/events", route -> route.abort());
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
    host("sim:16GiB", "caching", "", "first look");
    ready();
    String live = page.url();
    run("training-varying", 2000, "1");
    page.locator(".run-state.running").waitFor();
    server.post(live.substring(live.indexOf("/live")) + "/latency", new byte[0]);
    String kept = System.getProperty("vramscope.screenshots");
    for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
      for (int width : new int[] {1280, 400}) {
        enter(width, width == 400 ? 800 : 1000, scheme);
        String suffix = "-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png";
        page.navigate(live);
        ready();
        page.waitForTimeout(4000); // so that the screenshot has a curve
        shoot("live" + suffix, kept);
        page.navigate(live + "/latency");
        page.locator("table.latencies")
            .first()
            .waitFor(new Locator.WaitForOptions().setTimeout(120_000));
        shoot("latency" + suffix, null);
        page.navigate(server.at("/live").toString());
        shoot("live-list" + suffix, null);
      }
    }
    assertThat(complaints).isEmpty();
  }

  /** Takes a picture; nothing may stick out at the side. */
  private void shoot(String name, @Nullable String kept) {
    Object over =
        page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assertThat(over).as(name).isEqualTo(0);
    page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name)).setFullPage(true));
    if (kept != null) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(kept, name)));
    }
  }
}
