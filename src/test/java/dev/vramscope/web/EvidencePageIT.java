package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.vramscope.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The form for what a file does not say, in headless Chromium. */
class EvidencePageIT extends InBrowser {
  private static final String SECTION = "section.evidence";

  private String id = "";

  private String open(String name, String path) throws IOException {
    Path folder = TestData.folder("ooms").resolve(name);
    id =
        Json.of(server.post("/api/v1/snapshots", folder.resolve("snapshot.pickle.gz")))
            .path("id")
            .asString();
    page.navigate(server.at("/snapshots/" + id + path).toString());
    return Json.of(Files.readString(folder.resolve("truth.json"))).path("message").asString();
  }

  private void attach(String text) {
    if (page.locator(SECTION + " details[open] textarea").count() == 0) {
      page.locator(SECTION + " summary:has-text('Add a log line')").click();
    }
    page.locator(SECTION + " textarea").fill(text);
    page.locator(SECTION + " button.primary").click();
    page.waitForLoadState();
  }

  @Test
  void attachedMessageIsUsedAndRemoved() throws IOException {
    String message = open("others_hold_most", "/oom");
    assertThat(page.locator(".verdict .sentence").innerText()).contains("too much live memory");
    attach("my device is the fast one");
    assertThat(page.locator(SECTION + " [role=alert]").innerText())
        .contains("Not attached.", "Paste PyTorch's message");
    assertThat(page.locator(SECTION + " textarea").inputValue())
        .isEqualTo("my device is the fast one");
    attach(message);
    assertThat(page.url()).contains("/snapshots/" + id + "/oom").endsWith("#evidence");
    assertThat(page.locator(SECTION + " tbody tr").innerText())
        .contains("PyTorch's message", "device 16 GiB ± 5.12 MiB");
    assertThat(page.locator(".verdict .sentence").innerText()).contains("outside");
    page.locator(SECTION + " tbody button").click();
    page.waitForLoadState();
    assertThat(page.locator(SECTION + " tbody tr").count()).isZero();
    assertThat(page.locator(".verdict .sentence").innerText()).contains("too much live memory");
  }

  @Test
  void pagesFitTheWindow() throws IOException {
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      String message = open("others_hold_less", "/budget");
      attach(message);
      attach("|   0  NVIDIA A2           On  | 00000000:07:00.0 Off | 0 |\n| 8187MiB / 16384MiB |");
      page.locator(SECTION + " tbody summary").first().click();
      page.locator(SECTION + " summary:has-text('Add a log line')").click();
      Path file = SCREENSHOTS.resolve("evidence" + look.suffix());
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
      assertThat(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
          .as(file.toString())
          .isEqualTo(true);
    }
    assertThat(consoleErrors).isEmpty();
  }
}
