package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.vramscope.TestData;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The report on a snapshot: by REST, and as a page that is shown, printed and saved. */
class ReportIT extends InBrowser {
  private static String upload() {
    Path folder = TestData.folder("ooms").resolve("others_hold_most");
    return Json.of(
            server.post("/api/v1/snapshots?name=run.7", folder.resolve("snapshot.pickle.gz")))
        .path("id")
        .asString();
  }

  @Test
  void everyFormatIsSent() {
    String id = upload();
    for (String format : new String[] {"html", "text", "markdown", "json"}) {
      HttpResponse<byte[]> response =
          server.get("/api/v1/snapshots/" + id + "/report?total=16GiB&format=" + format);
      assertThat(response.statusCode()).as(format).isEqualTo(200);
      assertThat(new String(response.body(), StandardCharsets.UTF_8))
          .as(format)
          .contains("The program asked for", "16 GiB");
    }
    HttpResponse<byte[]> saved =
        server.get("/api/v1/snapshots/" + id + "/report?format=text&download=true");
    assertThat(saved.headers().firstValue("Content-Disposition").orElse(""))
        .contains("run.7-report.txt");
    assertThat(server.get("/api/v1/snapshots/" + id + "/report?format=pdf").statusCode())
        .isEqualTo(400);
    assertThat(server.get("/api/v1/snapshots/0123456789abcdef/report").statusCode()).isEqualTo(404);
  }

  @Test
  void thePageLeadsBackAndIsDownloaded() {
    String id = upload();
    go("/snapshots/" + id + "/report?total=16GiB");
    assertThat(page.locator("nav a").allInnerTexts())
        .containsExactly(
            "Back to the snapshot",
            "Download HTML",
            "Download text",
            "Download Markdown",
            "Download JSON");
    assertThat(page.locator("nav a:has-text('Markdown')").getAttribute("href"))
        .contains("total=16GiB", "format=markdown", "download=true");
    page.locator("nav a:has-text('Back')").click();
    page.waitForURL("**/snapshots/" + id + "**");
  }

  @Test
  void thePageHasItsStyleAndFitsTheWindow() {
    String id = upload();
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      go("/snapshots/" + id);
      page.locator("a.button:text-is('Report')").click();
      page.waitForURL("**/report**");
      Path file = SCREENSHOTS.resolve("report" + look.suffix());
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
      assertThat(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
          .as(file.toString())
          .isEqualTo(true);
      assertThat(
              page.evaluate(
                  "() => getComputedStyle(document.querySelector('.summary')).borderLeftWidth"))
          .isEqualTo("4px");
    }
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void itIsPrintedOnAFewPages() {
    go("/snapshots/" + upload() + "/report");
    byte[] pdf = page.pdf(new Page.PdfOptions().setFormat("A4"));
    String text = new String(pdf, StandardCharsets.ISO_8859_1);
    assertThat(text.split("/Type /Page\\b", -1).length - 1).isBetween(1, 4);
  }
}
