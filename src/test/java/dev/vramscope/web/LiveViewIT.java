package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.vramscope.TestExtent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the windows of live allocators show at one moment, and many windows together. */
class LiveViewIT extends InBrowser {
  /** More than the connections that a browser opens to one server, which are 6. */
  private static final int WINDOWS = TestExtent.of(8, 12);

  @Override
  @AfterEach
  void closeWindow() {
    super.closeWindow();
    Json.of(server.get("/api/v1/allocators"))
        .forEach(hosted -> server.delete("/api/v1/allocators/" + hosted.get("id").longValue()));
  }

  /** The page of a new allocator on which a workload runs. */
  private static String busyAllocator() {
    String allocator = "/api/v1/allocators";
    allocator += "/" + Json.of(post(allocator, "{}")).get("id").longValue();
    post(
        allocator + "/workloads",
        "{\"workload\":\"training-varying\",\"verify\":false,\"operationsPerSecond\":1000}");
    return allocator.replace("/api/v1/allocators", "/live");
  }

  private static java.net.http.HttpResponse<byte[]> post(String path, String json) {
    return server.post(
        path, json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
  }

  private static void awaitFrames(Page window, int count) {
    window.locator("[data-live-allocator][data-state=ready]").waitFor();
    String version = window.locator("[data-live-allocator]").getAttribute("data-version");
    window.waitForFunction(
        "version => +document.querySelector('[data-live-allocator]').dataset.version >= version",
        Integer.parseInt(version) + count);
  }

  @Test
  void manyWindowsAreUpdatedAndAnotherPageStillLoads() {
    List<String> allocators = List.of(busyAllocator(), busyAllocator(), busyAllocator());
    List<Page> windows = new ArrayList<>();
    for (int i = 0; i < WINDOWS; i++) {
      Page window = context.newPage();
      window.onConsoleMessage(this::collectErrors);
      window.navigate(server.at(allocators.get(i % allocators.size())).toString());
      windows.add(window);
    }
    for (int round = 0; round < 2; round++) {
      windows.forEach(window -> awaitFrames(window, 4));
    }
    page.navigate(server.at("/snapshots").toString());
    assertThat(page.locator("h1").first().innerText()).isNotEmpty();
    // Closing windows does not end the connection of the others.
    windows.subList(0, WINDOWS / 2).forEach(Page::close);
    windows.subList(WINDOWS / 2, WINDOWS).forEach(window -> awaitFrames(window, 4));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void withoutSharedWorkersAPageHasItsOwnConnection() {
    page.addInitScript("delete window.SharedWorker");
    page.navigate(server.at(busyAllocator()).toString());
    awaitFrames(page, 10);
    assertThat(page.locator(".live-connection").textContent()).contains("live");
  }

  @Test
  void mapIsPaintedOncePerAnimationFrame() {
    page.addInitScript(
        """
        let count = 0;
        window.paintCounts = [];
        const fillRect = CanvasRenderingContext2D.prototype.fillRect;
        CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
          const isBackground = x === 0 && y === 0 && width * height > 100_000;
          if (isBackground && this.canvas.classList.contains('live-map')) count++;
          return fillRect.call(this, x, y, width, height);
        };
        const next = () => {
          if (count > 0) window.paintCounts.push(count);
          count = 0;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
        """);
    page.navigate(server.at(busyAllocator()).toString());
    page.waitForFunction("() => window.paintCounts.length >= 60");
    assertThat(page.evaluate("() => Math.max(...window.paintCounts)")).isEqualTo(1);
  }

  @Test
  void allNumbersAreOfOneFrame() {
    page.navigate(server.at(busyAllocator()).toString());
    awaitFrames(page, 5);
    for (int sample = 0; sample < 20; sample++) {
      String before = page.locator("[data-live-allocator]").getAttribute("data-numbers");
      page.waitForFunction(
          "before => document.querySelector('[data-live-allocator]').dataset.numbers !== before",
          before);
      Object numbers =
          page.evaluate(
              """
              () => {
                const value = (row) => Number(
                  document.querySelector(`[data-row=${row}] data`)?.value ?? 0);
                const rows = [...document.querySelectorAll('[data-row]:not([hidden]) data')];
                const reserved = Number(document.querySelector('[data-reserved] data').value);
                const total = Number(document.querySelector('tfoot data').value);
                const legend = document.querySelector('.live-curve-legend').innerText;
                const sum = rows.reduce((all, each) => all + Number(each.value), 0);
                const inside = [...document.querySelectorAll('[data-row]:not([hidden])')]
                  .filter((row) => row.querySelector('[data-share]'))
                  .reduce((all, row) => all + Number(row.querySelector('data').value), 0);
                const map = [...document.querySelectorAll('.view-legend')].at(-1).innerText;
                return {
                  sum: sum - total,
                  inside: inside - reserved,
                  reserved: legend.includes(
                    'reserved ' + document.querySelector('[data-reserved] data').textContent),
                  allocated: /allocated ([0-9.]+ [A-Za-z]+)/.exec(legend)[1] ===
                    /allocated ([0-9.]+ [A-Za-z]+)/.exec(map)[1],
                  requested: value('live-requested') > 0,
                };
              }
              """);
      assertThat(numbers)
          .isEqualTo(
              Map.of(
                  "sum", 0, "inside", 0, "reserved", true, "allocated", true, "requested", true));
    }
  }

  @Test
  void frozenViewKeepsItsCurvesWhenTheWindowOrTheThemeChanges() {
    page.navigate(server.at(busyAllocator()).toString());
    awaitFrames(page, 60);
    // The newest seconds are right of what is counted.
    page.waitForCondition(
        () -> drawnPixels() > 500, new Page.WaitForConditionOptions().setTimeout(40_000));
    page.locator(".view-bar button").first().click();
    page.locator(".live-connection[data-kind=frozen]").waitFor();
    int drawn = drawnPixels();
    assertThat(drawn).isGreaterThan(400);
    int width = canvasWidth();
    page.setViewportSize(1100, 800);
    page.waitForFunction("width => document.querySelector('.live-curves').width < width", width);
    assertThat(drawnPixels()).isGreaterThan(drawn / 2);
    String light = background();
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    page.waitForFunction(
        "light => document.querySelector('.live-curves').getContext('2d')"
            + ".getImageData(1, 1, 1, 1).data.join() !== light",
        light);
    assertThat(drawnPixels()).isGreaterThan(drawn / 2);
  }

  private int canvasWidth() {
    return (Integer) page.evaluate("() => document.querySelector('.live-curves').width");
  }

  private String background() {
    return (String)
        page.evaluate(
            "() => document.querySelector('.live-curves').getContext('2d')"
                + ".getImageData(1, 1, 1, 1).data.join()");
  }

  /** The pixels of the curves, which are coloured; axes, grid and background are grey. */
  private int drawnPixels() {
    return (Integer)
        page.evaluate(
            """
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
              const canvas = document.querySelector('.live-curves');
              const { data } = canvas.getContext('2d').getImageData(
                canvas.width / 4, canvas.height / 6, canvas.width * 0.7, canvas.height / 2);
              let count = 0;
              for (let i = 0; i < data.length; i += 4) {
                const rgb = data.slice(i, i + 3);
                if (Math.max(...rgb) - Math.min(...rgb) > 60) count++;
              }
              done(count);
            })))
            """);
  }

  @Test
  void streamThatNeverSendsIsNotLive() {
    String path = busyAllocator();
    page.addInitScript("delete window.SharedWorker");
    // The connection is open, but no response arrives.
    page.route("**/events?**", route -> {});
    page.navigate(server.at(path).toString());
    page.waitForFunction(
        "() => /no data for [0-9]+"
            + " s/.test(document.querySelector('.live-connection')?.textContent)");
    assertThat(page.locator("[data-live-allocator]").getAttribute("data-state"))
        .isEqualTo("loading");
  }
}
