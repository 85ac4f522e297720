package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import dev.vramscope.web.display.DisplayFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The segment map after any event, in Chromium. */
class MomentIT extends InBrowser {
  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  private static String path(String shape, String page) {
    return "/snapshots/" + shapes.get(shape) + page;
  }

  private void open(String shape, String query) {
    page.navigate(server.at(path(shape, "/segments" + query)).toString());
    page.locator("[data-memory-map][data-state=ready]").waitFor();
  }

  private void waitForStatus(String words) {
    page.waitForFunction(
        "words => document.querySelector('.view-status').textContent.includes(words)", words);
  }

  @Test
  void eventOfTheUrlIsShownAndSteppedFrom() {
    open(SampleFiles.FRAGMENTED, "?event=1000");
    assertThat(page.locator(".moment-label").textContent()).isEqualTo("after event 1,000");
    page.keyboard().press(".");
    page.waitForURL("**event=1001**");
    page.locator(".moment-bar select").selectOption("free");
    page.locator(".moment-bar button[aria-label^=Next]").click();
    page.waitForFunction(
        "() => document.querySelector('.view-event').textContent.includes('Free of')");
    page.locator(".moment-bar button[aria-label^=Previous]").click();
    page.locator(".moment-bar button").last().click();
    page.waitForFunction("() => !location.search.includes('event=')");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void reservedBytesAreThoseOfTheTimeline() {
    String api = "/api/v1" + path(SampleFiles.FRAGMENTED, "");
    for (int event : new int[] {10, 700, 2_500}) {
      long reserved = Json.of(server.get(api + "/events/" + event)).path("reservedBytes").asLong();
      open(SampleFiles.FRAGMENTED, "?event=" + event);
      waitForStatus(new DisplayFormat().bytes(reserved) + " reserved");
    }
  }

  @Test
  void failedRequestIsOneKeyAway() {
    open(SampleFiles.FRAGMENTED, "");
    page.keyboard().press("o");
    page.waitForFunction(
        "() => document.querySelector('.view-event').textContent.includes('Out of memory')");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void playerReachesTheEnd() {
    open("train_33_events", "");
    page.locator(".moment-bar button[aria-label=Play]").click();
    page.waitForURL("**event=32**");
    page.locator(".moment-bar button[aria-label=Play]").waitFor();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void eventsThatDoNotExistAreRefusedAndTheEndIsShown() {
    String api = "/api/v1" + path(SampleFiles.FRAGMENTED, "/segments?event=");
    assertThat(server.get(api + "-1").statusCode()).isEqualTo(400);
    assertThat(server.get(api + "99999999").statusCode()).isEqualTo(400);
    open(SampleFiles.FRAGMENTED, "?event=99999999");
    assertThat(page.locator(".moment-label").textContent()).isEqualTo("at the end");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void fitsOnAPhoneInTheDark() {
    openWindow(400, 800, ColorScheme.DARK);
    open(SampleFiles.FRAGMENTED, "?event=1000");
    assertThat((Boolean) page.evaluate("() => document.documentElement.scrollWidth <= 400"))
        .isTrue();
  }
}
