package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.vramscope.TestData;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The what-if page in headless Chromium: rows that appear as they finish, own settings, search. */
class WhatIfPageIT extends InBrowser {
  private static final String ROW = ".whatif-table tbody tr";

  private String openPage(String file, String query) {
    String id =
        Json.of(server.post("/api/v1/snapshots", TestData.file(file + "/snapshot.pickle.gz")))
            .path("id")
            .asString();
    String url = server.at("/snapshots/" + id + "/whatif" + query).toString();
    page.navigate(url);
    return url;
  }

  private void awaitRows() {
    page.waitForFunction("() => document.querySelector('[data-running]') === null");
  }

  @Test
  void rowsAppearWithoutReloadingAndStay() {
    openPage("whatif/train", "");
    page.evaluate("() => { window.isSamePage = true; }");
    awaitRows();
    assertThat(page.evaluate("() => window.isSamePage")).isEqualTo(true);
    assertThat(page.locator(ROW).count()).isGreaterThan(8);
    assertThat(page.locator(ROW).first().innerText()).contains("fits");
    assertThat(page.locator(".whatif-chart circle").count()).isGreaterThan(2);
    List<Long> calls =
        page.locator(".whatif-chart .compare-axis text").allTextContents().stream()
            .map(tick -> Long.valueOf(tick.strip().replace(",", "")))
            .toList();
    assertThat(String.valueOf(calls.get(1) - calls.get(0)))
        .as("the step of the axis")
        .matches("[125]0*");
    assertThat(page.locator(".whatif-table").innerText()).doesNotContain("waiting", "running");
    assertThat(consoleErrors).isEmpty();
  }

  /** Only rows that fit have savings and an overhead. */
  @Test
  void columnsWithoutAValueAreLeftOut() {
    openPage("ooms/frag_half", "?settings=recorded&total=1GiB");
    page.locator(".whatif-form button.primary").click();
    awaitRows();
    assertThat(page.locator(ROW).first().innerText()).contains("fails");
    assertThat(page.locator(".whatif-table thead").innerText())
        .contains("Retries")
        .doesNotContain("Saved", "Overhead");
    int columns = page.locator(".whatif-table thead th").count();
    for (Locator row : page.locator(ROW).all()) {
      assertThat(row.locator("> *").count()).as(row.innerText()).isEqualTo(columns);
    }
    openPage("whatif/train", "");
    awaitRows();
    assertThat(page.locator(".whatif-table thead").innerText()).contains("Saved", "Overhead");
  }

  @Test
  void guessedStepsAreCalledAGuess() {
    openPage("ooms/leak_steps", "");
    awaitRows();
    assertThat(page.locator(".whatif").innerText())
        .contains("The steps are a guess", "empty_cache() at each step");
    page.locator(".whatif .notice a:text-is('steps')").click();
    assertThat(page.locator("main").innerText()).contains("Steps are a guess");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void ownSettingsAreInTheUrl() {
    openPage("ooms/frag_half", "");
    awaitRows();
    page.locator("[name=settings]").fill("max_split_size_mb:256\nexpandable_segments:True");
    page.locator(".whatif-form button.primary").click();
    awaitRows();
    assertThat(page.url()).contains("max_split_size_mb");
    String table = page.locator(".whatif-table").innerText();
    page.navigate(page.url());
    awaitRows();
    assertThat(page.locator(".whatif-table").innerText())
        .isEqualTo(table)
        .contains("max_split_size_mb:256", "expandable_segments:True", "As recorded");
    assertThat(page.locator("[name=settings]").inputValue()).contains("max_split_size_mb:256");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void searchCanBeCancelledAndContinued() {
    openPage("whatif/train", "?find=best");
    Locator cancel = page.locator("form[action$='/whatif/cancel'] button");
    cancel.click();
    page.waitForURL("**run=no**");
    assertThat(page.locator("[data-running]").count()).isZero();
    Locator others = page.locator("a:has-text('Run the others')");
    assumeTrue(others.count() > 0, "the search ended before it could be cancelled");
    others.click();
    awaitRows();
    assertThat(page.locator(".whatif .lead").innerText()).startsWith("Best so far:");
    assertThat(page.locator("tr.best").count()).isPositive();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void pagesFitTheWindow() {
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      openPage("ooms/frag_half", "");
      awaitRows();
      Path file = SCREENSHOTS.resolve("whatif" + look.suffix());
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
      assertThat(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
          .as(file.toString())
          .isEqualTo(true);
    }
    assertThat(consoleErrors).isEmpty();
  }
}
