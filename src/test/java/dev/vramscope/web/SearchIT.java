package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The search in all frames, as data and on the timelines in Chromium. */
class SearchIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  private static JsonNode json(String shape, String query) {
    return Json.of(server.get("/api/v1" + path(shape, query)));
  }

  private static ByteBuffer search(String shape, String query) {
    byte[] answer = server.get("/api/v1" + path(shape, "/search?" + query)).body();
    return ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static JsonNode header(ByteBuffer answer) {
    byte[] json = new byte[answer.getInt(4)];
    answer.get(8, json);
    return Json.of(new String(json, StandardCharsets.UTF_8));
  }

  private void open(String path) {
    page.navigate(server.at(path).toString());
    page.locator("[data-state=ready]").waitFor();
  }

  private Locator result(String words) {
    Locator result = page.locator(".view-search p");
    page.waitForFunction(
        "words => document.querySelector('.view-search p').textContent.includes(words)", words);
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"train", ".py:4", "attention forward", "TORCH", "no such frame"})
  void amountsAreThoseOfTheFlameGraphAndTheEventList(String text) {
    String words = "text=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
    for (String shape : List.of(SampleFiles.FRAGMENTED, SampleFiles.HEALTHY, "no-stacks")) {
      JsonNode found = header(search(shape, words + "&event=5"));
      for (String at : List.of("peak", "end", "event")) {
        JsonNode flame =
            json(shape, "/flame?frames=all&" + words + "&at=" + at.replace("event", "5"));
        assertThat(found.path(at + "Bytes").asLong())
            .as("%s %s %s", shape, text, at)
            .isEqualTo((long) flame.path("matched").asDouble());
      }
      JsonNode events = json(shape, "/events?action=alloc&limit=1&" + words);
      assertThat(found.path("allocationCount").asInt())
          .isGreaterThanOrEqualTo(events.path("matchCount").asInt());
    }
  }

  @Test
  void bitsAreTheStacksOfTheSearch() {
    String shape = SampleFiles.FRAGMENTED;
    ByteBuffer answer = search(shape, "text=.py");
    int start = 8 + answer.getInt(4);
    BitSet stacks =
        BitSet.valueOf(answer.slice(start, answer.limit() - start).order(ByteOrder.LITTLE_ENDIAN));
    JsonNode rows = json(shape, "/events?limit=500").path("rows");
    for (JsonNode row : rows) {
      if (row.has("stack")) {
        int stack = row.path("stack").asInt();
        String frames = server.text("/api/v1" + path(shape, "/stacks/" + stack));
        assertThat(stacks.get(stack)).as(frames).isEqualTo(frames.contains(".py"));
      }
    }
  }

  @Test
  void parametersThatMeanNothingAreRefused() {
    for (String query :
        List.of(
            "",
            "text=%20",
            "text=" + "a".repeat(600),
            "text=a&event=-1",
            "text=a&event=99999999")) {
      assertThat(
              server.get("/api/v1" + path(SampleFiles.FRAGMENTED, "/search?" + query)).statusCode())
          .as(query)
          .isEqualTo(400);
    }
    assertThat(header(search("no-trace", "text=a")).path("peakEvent").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void otherAllocationsFadeWhileTyping(String pagePath) {
    open(path(SampleFiles.FRAGMENTED, pagePath + "?event=700"));
    byte[] before = page.locator(".timeline-canvas").screenshot();
    page.keyboard().press("/");
    page.keyboard().type(".py");
    assertThat(result("at the peak").textContent()).contains("after event 700");
    page.keyboard().type(":no such line");
    result("No frame has this text.");
    assertThat(page.locator(".timeline-canvas").screenshot())
        .as("all allocations have faded")
        .isNotEqualTo(before);
    page.waitForFunction("() => location.search.includes('text=')");
    page.locator(".view-search input").fill("");
    page.waitForFunction("() => document.querySelector('.view-search p').textContent === ''");
    page.waitForFunction("() => !location.search.includes('text=')");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void otherBlocksOfTheMapFade() {
    open(path(SampleFiles.FRAGMENTED, "/segments?event=700&text=.py"));
    assertThat(result("at the peak").textContent()).contains("after event 700");
    byte[] before = page.locator(".map-canvas").screenshot();
    page.locator(".view-search input").fill("no such frame");
    result("No frame has this text.");
    assertThat(page.locator(".map-canvas").screenshot()).isNotEqualTo(before);
    page.waitForFunction("() => location.search.includes('text=no')");
    assertThat(page.url()).contains("event=700");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void sitesOfTheSearchAreMarkedAboveTheOthers() {
    String sites = server.text(path(SampleFiles.FRAGMENTED, "/sites?by=peak&text=.PY"));
    int marked = sites.split("Found in its stacks", -1).length - 1;
    assertThat(marked).isPositive();
    assertThat(sites).contains("with this text in a stack", "&amp;text=.PY", "value=\".PY\"");
    assertThat(server.text(path(SampleFiles.FRAGMENTED, "/sites?text=no+such+frame")))
        .contains("No stack has this text.")
        .doesNotContain("Found in its stacks");
    assertThat(server.text(path("no-trace", "/sites?text=a"))).contains("role=\"search\"");
    String tooLong = path(SampleFiles.FRAGMENTED, "/sites?text=" + "a".repeat(600));
    assertThat(server.get(tooLong).statusCode()).isEqualTo(400);
  }

  @Test
  void tabsCarryTheSearch() {
    open(path(SampleFiles.FRAGMENTED, "/timeline?text=train"));
    result("at the peak");
    page.locator(".view-search input").fill("attention");
    page.waitForFunction(
        "() => [...document.querySelectorAll('[data-view-tabs] a')].every("
            + "tab => tab.getAttribute('href').includes('text=attention'))");
    page.locator(
            "[data-view-tabs] a",
            new Page.LocatorOptions().setHasText(Pattern.compile("^Flame graph$")))
        .click();
    page.locator("[data-flame-graph][data-state=ready]").waitFor();
    assertThat(page.locator("input[name=text]").inputValue()).isEqualTo("attention");
    page.goBack();
    page.locator("[data-active-timeline][data-state=ready]").waitFor();
    assertThat(page.locator(".view-search input").inputValue()).isEqualTo("attention");
    assertThat(consoleErrors).isEmpty();
  }
}
