package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.lab.Experiment;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.live.lab.Step;
import dev.vramscope.live.lab.Totals;
import dev.vramscope.web.display.DisplayFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/**
 * The exercises of the lab in Chromium: what a click does, and that the numbers on the page are the
 * allocator's own.
 */
class LabIT extends InBrowser {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static Setup caching(String settings, long deviceBytes) {
    return new Setup(AllocatorKind.CACHING, settings, deviceBytes);
  }

  private static Setup bfc(long bytes) {
    return new Setup(
        AllocatorKind.BFC, "memory_limit=256MiB,enable_spatial_partitioning=false", bytes);
  }

  private void open(String path) {
    go(path);
    ready();
  }

  private void ready() {
    page.locator("[data-lab][data-state=ready]").waitFor();
  }

  private void waitForStep(int done) {
    page.locator("[data-lab][data-state=ready][data-done='" + done + "']").waitFor();
  }

  /** Does something that ends in another step, and waits for that. */
  private void step(Runnable action) {
    String before = page.locator("[data-lab]").getAttribute("data-done");
    action.run();
    page.locator("[data-lab][data-state=ready]:not([data-done='" + before + "'])").waitFor();
  }

  private void forward() {
    step(() -> page.keyboard().press("."));
  }

  private String script() {
    page.locator("details.lab-edit").evaluate("details => details.open = true");
    return page.locator(".lab-edit textarea").inputValue();
  }

  private long number(String row, int side) {
    Locator cell = page.locator("[data-row='" + row + "'] td").nth(side);
    return Math.round(Double.parseDouble(String.valueOf(cell.getAttribute("data-value"))));
  }

  private Locator reasons(int side) {
    return page.locator(".lab-side").nth(side).locator(".lab-reasons");
  }

  /** The state after the first operations, from the allocator in this process. */
  private static Totals totals(Setup setup, String script, int done) {
    List<Step> steps = Experiment.run(setup, Script.parse(script), done, 0);
    return steps.getLast().totals();
  }

  /** Compares every number on the page with the allocator's own statistics. */
  private void assertNumbers(int side, Setup setup) {
    int done =
        Integer.parseInt(String.valueOf(page.locator("[data-lab]").getAttribute("data-done")));
    Totals expected = totals(setup, script(), done);
    AllocatorTotals own = expected.allocated();
    assertThat(number("allocatedBytes", side)).isEqualTo(own.allocatedBytes());
    assertThat(number("activeBytes", side)).isEqualTo(own.activeBytes());
    assertThat(number("reservedBytes", side)).isEqualTo(own.reservedBytes());
    assertThat(number("peakAllocatedBytes", side)).isEqualTo(own.peakAllocatedBytes());
    assertThat(number("peakReservedBytes", side)).isEqualTo(own.peakReservedBytes());
    assertThat(number("outOfMemoryCount", side)).isEqualTo(own.outOfMemoryCount());
    assertThat(number("freeBytes", side))
        .isEqualTo(expected.freeBytes())
        .isEqualTo(own.reservedBytes() - own.activeBytes());
    assertThat(number("largestFreeBytes", side)).isEqualTo(expected.largestFreeBytes());
    assertThat(number("deviceFreeBytes", side)).isEqualTo(expected.deviceFreeBytes());
    assertThat(number("driverCalls", side)).isEqualTo(expected.driverCalls());
    long drawn = 0;
    for (Locator block :
        page.locator(".lab-side").nth(side).locator(".lab-block.allocated").all()) {
      drawn += block.isVisible() ? 1 : 0;
    }
    assertThat(drawn).isPositive();
  }

  private void screenshot(String name) {
    page.screenshot(
        new com.microsoft.playwright.Page.ScreenshotOptions()
            .setPath(Path.of("target", "screenshots", name + ".png"))
            .setFullPage(true));
  }

  @Test
  void blocksOfAStripAreAllocatedAndFreedByClicks() {
    open("/lab/strip");
    waitForStep(3);
    for (String size : List.of("16 MiB", "4 MiB", "64 MiB", "16 MiB")) {
      Locator button =
          page.locator(
                  ".lab-actions button",
                  new com.microsoft.playwright.Page.LocatorOptions().setHasText("+ " + size))
              .first();
      step(button::click);
    }
    waitForStep(7);
    assertNumbers(0, caching("", 160 * MIB));
    page.locator(".lab-block[data-id='2']").click();
    waitForStep(8);
    assertThat(reasons(0).textContent()).contains("Block 2 (16 MiB) is freed");
    page.locator(".lab-block[data-id='3']").click();
    waitForStep(9);
    assertThat(reasons(0).textContent()).contains("Coalesced with the free 16 MiB before it");
    assertNumbers(0, caching("", 160 * MIB));
    assertThat(page.locator(".lab-block.inactive").first().textContent()).isEqualTo("20 MiB");
    page.getByText("Free one at random").click();
    waitForStep(10);
    assertThat(script()).contains("malloc 5 16MiB 0").containsPattern("free [45]$");
    assertThat(consoleErrors).isEmpty();
    screenshot("lab-strip-1280");
  }

  @Test
  void theKeyboardAloneSuffices() {
    open("/lab/strip");
    waitForStep(3);
    page.keyboard().press("3");
    waitForStep(4);
    page.keyboard().press("2");
    waitForStep(5);
    page.locator(".lab-block[tabindex='0']").focus();
    page.keyboard().press("ArrowRight");
    page.keyboard().press("Enter");
    waitForStep(6);
    assertThat(reasons(0).textContent()).contains("Block 3 (4 MiB) is freed");
    page.keyboard().press(",");
    waitForStep(5);
    page.keyboard().press("Home");
    waitForStep(0);
    page.keyboard().press("End");
    waitForStep(6);
    assertNumbers(0, caching("", 160 * MIB));
    page.keyboard().press("r");
    waitForStep(7);
    assertThat(number("allocatedBytes", 0)).isZero();
    page.keyboard().press("e");
    waitForStep(8);
    assertThat(number("reservedBytes", 0)).isZero();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void theStripIsBfcsRegionIfItsAllocatorIsChosen() {
    open("/lab/strip");
    page.locator(".lab-side details").first().evaluate("details => details.open = true");
    page.locator("select[name=allocator]").selectOption("bfc");
    page.locator(".lab-segment.region").waitFor();
    ready();
    assertThat(page.locator(".lab-bin").count()).isEqualTo(21);
    assertThat(page.locator(".lab-side h2").textContent()).contains("XLA BFC");
    assertThat(number("reservedBytes", 0)).isEqualTo(160 * MIB);
  }

  @Test
  void fixedAndExpandableSegmentsAreComparedOnTheSameSteps() {
    open("/lab/expandable");
    waitForStep(0);
    page.keyboard().press("End");
    page.waitForFunction("() => document.querySelector('[data-lab]').dataset.done !== '0'");
    ready();
    Setup fixed = caching("", 4 * GIB);
    Setup expandable = caching("expandable_segments:True", 4 * GIB);
    assertNumbers(0, fixed);
    assertNumbers(1, expandable);
    assertThat(number("retries", 0)).isEqualTo(1);
    assertThat(number("retries", 1)).isZero();
    assertThat(reasons(0).textContent()).contains("releases its cache: 2.7 GiB goes back");
    page.keyboard().press(",");
    page.waitForFunction(
        "() => { const lab = document.querySelector('[data-lab]').dataset;"
            + " return Number(lab.done) < Number(lab.length); }");
    ready();
    long saved = number("reservedBytes", 0) - number("reservedBytes", 1);
    assertThat(page.locator("[data-row=reservedBytes] td").nth(2).textContent())
        .isEqualTo(new DisplayFormat().bytes(saved));
    assertThat(saved).isGreaterThan(GIB);
    assertThat(consoleErrors).isEmpty();
    screenshot("lab-expandable-1280");
  }

  @Test
  void aHeldBlockWaitsForItsStreamAndAForgottenRecordIsAHazard() {
    open("/lab/streams");
    waitForStep(0);
    for (int i = 0; i < 4; i++) {
      forward();
    }
    page.locator(".lab-block.pending-free").waitFor();
    ready();
    assertThat(page.locator(".lab-block.pending-free").getAttribute("aria-label"))
        .contains("Block 1, 64 MiB, freed, waits for stream 1");
    assertThat(page.locator("[data-stream='1']").textContent())
        .contains("kernel 1 uses block 1", "block 1 waits for it");
    assertNumbersOfHeldBlock();
    // A step of one's own, without record_stream.
    page.locator("[data-stream='1'] button").first().click();
    page.waitForFunction("() => document.querySelectorAll('.lab-chip.kernel').length === 0");
    page.keyboard().press("4");
    page.locator(".lab-block.allocated").first().click();
    page.getByText("Kernel on 2").click();
    page.locator(".lab-chip.kernel").waitFor();
    step(() -> page.locator(".lab-block-actions").getByText("Free").click());
    page.keyboard().press("4");
    page.locator(".lab-reason.hazard").waitFor();
    assertThat(page.locator(".lab-reason.hazard").textContent())
        .contains("The kernel on stream 2 still uses the memory of block");
    assertThat(consoleErrors).isEmpty();
    screenshot("lab-streams-1280");
  }

  private void assertNumbersOfHeldBlock() {
    assertThat(number("allocatedBytes", 0)).isZero();
    assertThat(number("activeBytes", 0)).isEqualTo(64 * MIB);
    assertThat(number("freeBytes", 0)).isZero();
  }

  @Test
  void varyingBatchesFailOnFixedSegmentsAndOpenTheirPostMortem() {
    open("/lab/varying");
    waitForStep(0);
    page.locator(".lab-player select").selectOption("60");
    long start = System.nanoTime();
    page.keyboard().press("p");
    page.locator(".lab-side .problem button").waitFor();
    ready();
    double seconds = (System.nanoTime() - start) / 1e9;
    int done =
        Integer.parseInt(String.valueOf(page.locator("[data-lab]").getAttribute("data-done")));
    System.out.printf(Locale.ROOT, "lab: %d steps played in %.2f s at 60 steps/s%n", done, seconds);
    assertThat(number("allocatedBytes", 0)).isLessThan(3 * GIB);
    assertThat(number("outOfMemoryCount", 0)).isEqualTo(1);
    assertThat(number("outOfMemoryCount", 1)).isZero();
    assertNumbers(0, caching("", 8 * GIB));
    assertNumbers(1, caching("expandable_segments:True", 8 * GIB));
    screenshot("lab-varying-1280");
    page.locator(".lab-side .problem button").click();
    page.waitForURL("**/snapshots/*/oom");
    assertThat(page.locator(".explanation").textContent())
        .contains(
            "The program asked for 1 GiB at step 20: batch of 64",
            "fragmentation (certain)",
            "expandable_segments:True");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void theSearchOfBinsIsLit() {
    open("/lab/bfc");
    waitForStep(0);
    for (int i = 0; i < 6; i++) {
      forward();
    }
    assertNumbers(0, caching("", 256 * MIB));
    assertNumbers(1, bfc(256 * MIB));
    String bins = "els => els.map(e => e.querySelector('b').textContent).join(' ')";
    assertThat(page.locator(".lab-bin.searched").evaluateAll(bins)).isEqualTo("15 16 17 18 19");
    assertThat(page.locator(".lab-bin.chosen").evaluateAll(bins)).isEqualTo("19");
    assertThat(reasons(1).textContent()).contains("Searched bins 15 to 19");
    assertThat(consoleErrors).isEmpty();
    screenshot("lab-bfc-1280");
  }

  private String rungs() {
    List<String> states = new ArrayList<>();
    for (Locator rung : page.locator(".lab-rung").all()) {
      states.add(rung.getAttribute("data-rung") + " " + rung.getAttribute("data-state"));
    }
    return String.join(", ", states);
  }

  @Test
  void eachRungOfTheLadderSaysWhatItDid() {
    open("/lab/ladder");
    assertThat(rungs())
        .contains("search tried", "acquire tried", "release-cache tried", "failed failed")
        .contains("release-oversize skipped", "callbacks skipped");
    assertNumbers(0, caching("", 256 * MIB));
    String script = script();
    page.locator(".lab-edit textarea").fill(script.replace("150MiB", "130MiB"));
    page.locator(".lab-edit button").first().click();
    page.locator(".lab-rung.served").waitFor();
    assertThat(rungs()).contains("acquire served", "failed skipped");
    // With a setting another rung appears.
    page.locator(".lab-side details").first().evaluate("details => details.open = true");
    page.locator("[data-key=max_split_size_mb]").fill("30");
    page.locator("[data-key=max_split_size_mb]").press("Enter");
    page.locator("[data-rung='release-oversize'].tried").waitFor();
    assertThat(page.locator("input[name=settings]").inputValue()).isEqualTo("max_split_size_mb:30");
    screenshot("lab-ladder-1280");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void formAndSettingsStringAreInStepAndErrorsAreShownWhereTheyAre() {
    open("/lab/ladder");
    page.locator(".lab-side details").first().evaluate("details => details.open = true");
    Locator text = page.locator("input[name=settings]");
    text.fill("expandable_segments:True,garbage_collection_threshold:0.8");
    text.press("Enter");
    page.waitForFunction(
        "() => document.querySelector('.lab-side h2').textContent.includes('0.8')");
    assertThat(page.locator("[data-key=expandable_segments]").inputValue()).isEqualTo("True");
    assertThat(page.locator("[data-key=garbage_collection_threshold]").inputValue())
        .isEqualTo("0.8");
    page.locator("[data-key=expandable_segments]").selectOption("");
    assertThat(text.inputValue()).isEqualTo("garbage_collection_threshold:0.8");
    text.fill("max_split_size_mb:5");
    text.press("Enter");
    page.locator(".lab-settings .field-problem:not([hidden])").waitFor();
    assertThat(page.locator(".lab-settings .field-problem").textContent())
        .contains("max_split_size", "sides[0].settings");
    text.fill("");
    text.press("Enter");
    ready();
    script();
    page.locator(".lab-edit textarea").fill("malloc 1 2MiB 0\nmallox 2");
    page.locator(".lab-edit button").first().click();
    page.locator(".lab-edit .field-problem:not([hidden])").waitFor();
    assertThat(page.locator(".lab-edit .field-problem").textContent())
        .contains("There is no operation 'mallox'", "line 2");
    // The browser logs an error for every unsuccessful response.
    assertThat(consoleErrors).allMatch(line -> line.contains("400"));
  }

  /**
   * The experiment of the link in the address bar: sides, script and position; empty without one.
   */
  private String linked() {
    String url = page.url();
    if (!url.contains("#")) {
      return "";
    }
    byte[] packed = Base64.getUrlDecoder().decode(url.substring(url.indexOf('#') + 1));
    try (InputStream in =
        new InflaterInputStream(new ByteArrayInputStream(packed), new Inflater(true))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  @Test
  void aLinkRestoresTheExperiment() {
    open("/lab/strip");
    waitForStep(3);
    page.keyboard().press("3");
    waitForStep(4);
    page.keyboard().press("2");
    waitForStep(5);
    page.keyboard().press(",");
    waitForStep(4);
    page.waitForCondition(() -> linked().matches("(?s).*malloc 3 4MiB 0.*,4]"));
    String url = page.url();
    openWindow(400, 800, ColorScheme.DARK);
    page.navigate(url);
    waitForStep(4);
    assertThat(number("allocatedBytes", 0)).isEqualTo(16 * MIB);
    assertThat(script()).endsWith("malloc 3 4MiB 0");
    assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(400);
    screenshot("lab-strip-400-dark");
    // A damaged link opens the exercise.
    page.navigate(url.substring(0, url.indexOf('#') + 30));
    waitForStep(3);
    assertThat(page.locator(".lab .notice.warning").textContent()).contains("damaged or cut off");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void theEndOfARecordingIsAnExperiment() {
    String id = SnapshotShapes.storeAll(server).get(SampleFiles.FRAGMENTED);
    go("/snapshots/" + id + "/whatif");
    page.getByText("Step through the last 500 events in the lab").click();
    ready();
    assertThat(page.locator(".lab-label").textContent()).startsWith("live before event");
    long before = number("allocatedBytes", 0);
    assertThat(before).isPositive();
    for (int i = 0; i < 20; i++) {
      page.keyboard().press(".");
    }
    page.keyboard().press("End");
    page.waitForFunction(
        "() => { const lab = document.querySelector('[data-lab]'); return lab.dataset.state ==="
            + " 'ready' && lab.dataset.done === lab.dataset.length; }");
    assertThat(number("reservedBytes", 0)).isGreaterThanOrEqualTo(number("activeBytes", 0));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void aClickIsOnScreenSoon() {
    open("/lab/strip");
    waitForStep(3);
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      millis.add(
          ((Number)
                  page.evaluate(
                      "() => new Promise(done => {"
                          + " const lab = document.querySelector('[data-lab]');"
                          + " const before = lab.dataset.done; const start = performance.now();"
                          + " new MutationObserver((_, o) => { if (lab.dataset.done !== before) {"
                          + " o.disconnect(); requestAnimationFrame(() =>"
                          + " done(performance.now() - start)); } }).observe(lab, {attributes:"
                          + " true}); document.querySelector('.lab-actions button').click(); })"))
              .doubleValue());
    }
    millis.sort(null);
    System.out.printf(
        Locale.ROOT,
        "lab: a click is on screen after %.0f ms (median of 20; most %.0f)%n",
        millis.get(10),
        millis.getLast());
    // The budget is 100 ms; other processes share the two cores of this test.
    assertThat(millis.get(10)).isLessThan(500);
  }
}
