package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Uploads from the dashboard and the list of snapshots, in a real browser. */
class SnapshotListIT extends InBrowser {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @BeforeEach
  void deleteAll() {
    for (JsonNode stored : Json.of(server.get(SNAPSHOTS)).path("snapshots")) {
      server.delete(SNAPSHOTS + "/" + stored.path("id").asString());
    }
  }

  /** Long names, tags and producers are cut, so that the last column is in the window. */
  @Test
  void allColumnsFitTheWindowWithLongNames() {
    String longTag = "a-tag-without-spaces-".repeat(4);
    String name = "llama3_70b_pretraining_with_a_long_name_".repeat(6);
    upload(
        SampleFiles.FRAGMENTED,
        "?name=" + name + "1&job=" + longTag + "&host=" + longTag + "&labels=" + longTag);
    upload(SampleFiles.HEALTHY, "?name=" + name + "2");
    page.setViewportSize(1280, 900);
    for (String path : List.of("/", "/snapshots", "/snapshots?order=job")) {
      go(path);
      assertThat(
              page.evaluate(
                  "() => [document.documentElement, document.querySelector('.scroll')]"
                      + ".map((box) => box.scrollWidth - box.clientWidth)"))
          .as(path)
          .isEqualTo(List.of(0, 0));
      assertThat(page.locator(".snapshots .name").first().getAttribute("title")).startsWith(name);
      assertThat(page.locator(".snapshots .producer").first().getAttribute("title")).isNotBlank();
    }
  }

  @Test
  void fileThatIsStoredAlreadyKeepsItsTagsUnlessTheyAreAdded() {
    String id = upload(SampleFiles.FRAGMENTED, "?name=first&job=llama&labels=a");
    go("/");
    page.fill("input[name=job]", "other");
    page.fill("input[name=rank]", "3");
    page.fill("input[name=labels]", "b");
    drop("again.pickle.gz", SampleFiles.gzip(SampleFiles.FRAGMENTED));
    Locator item = page.locator(".drop-item[data-state='done']");
    item.waitFor();
    assertThat(item.textContent()).contains("Already stored");
    assertThat(tags(id).path("rank").isNull()).isTrue();
    item.getByText("Add the entered tags").click();
    item.getByText("Added rank and labels. job is already set and was kept.").waitFor();
    assertThat(tags(id).toString())
        .contains("\"job\":\"llama\"", "\"rank\":\"3\"", "\"labels\":[\"a\",\"b\"]");
    page.locator("[data-recent] .tag:has-text('rank')").waitFor();

    page.fill("input[name=labels]", "");
    drop("again.pickle.gz", SampleFiles.gzip(SampleFiles.FRAGMENTED));
    Locator second = page.locator(".drop-item").last();
    second.getByText("Add the entered tags").click();
    second.getByText("job and rank are already set and were kept.").waitFor();
    assertThat(second.locator("a:has-text('Edit tags')").getAttribute("href"))
        .isEqualTo("/snapshots/" + id + "/edit");

    openWindow(1280, 900, ColorScheme.LIGHT);
    go("/");
    drop("again.pickle.gz", SampleFiles.gzip(SampleFiles.FRAGMENTED));
    page.waitForURL("**/snapshots/" + id + "?duplicate");
    assertThat(page.locator("[role=status]").textContent()).contains("stored already", "first");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void listOnTheDashboardShowsAnUploadThatHasJustFinished() {
    upload(SampleFiles.HEALTHY, "?name=before");
    go("/");
    page.setInputFiles(
        "#file",
        new FilePayload[] {
          payload("one.pickle.gz", SampleFiles.FRAGMENTED),
          payload("broken.pickle.gz", SampleFiles.HEALTHY)
        });
    page.click("form[data-drop-zone] button.primary");
    page.locator("[data-recent] a:has-text('one.pickle.gz')").waitFor();
    assertThat(page.locator(".drop-item").count()).isEqualTo(2);
    assertThat(page.locator("[data-recent] th button:has-text('Reserved')").count()).isEqualTo(1);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void headersSortTheWholeListAndKeepItsFilters() {
    upload(SampleFiles.FRAGMENTED, "?name=one&job=llama");
    upload(SampleFiles.HEALTHY, "?name=two&job=llama");
    go("/snapshots?job=llama");
    page.click("a[aria-label='Sort by name']");
    assertThat(page.locator("tbody th a").allInnerTexts()).containsExactly("one", "two");
    assertThat(page.locator("th[aria-sort='ascending']").textContent()).contains("Snapshot");
    page.click("a[aria-label='Sort by name']");
    assertThat(page.locator("tbody th a").allInnerTexts()).containsExactly("two", "one");
    assertThat(page.url()).contains("job=llama", "order=name", "reverse=true");
    page.click("button:has-text('Find')");
    assertThat(page.locator("tbody th a").allInnerTexts()).containsExactly("two", "one");
    assertThat(server.get("/snapshots?order=colour").statusCode()).isEqualTo(400);
    assertThat(server.get("/snapshots?order=job&reverse=true").statusCode()).isEqualTo(400);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void selectedSnapshotsAreDeleted() {
    upload(SampleFiles.FRAGMENTED, "?name=one&job=llama&rank=0");
    upload(SampleFiles.HEALTHY, "?name=two&job=llama&rank=1");
    go("/snapshots?order=job");
    Locator delete = page.locator("[data-selection] button.danger");
    assertThat(delete.isDisabled()).isTrue();
    page.check("input[aria-label='Select one']");
    assertThat(page.locator("[data-selected]").textContent()).isEqualTo("1 selected");
    page.check("[data-select-all]");
    assertThat(page.locator("[data-selected]").textContent()).isEqualTo("2 selected");
    page.uncheck("input[aria-label='Select one']");
    delete.click();
    assertThat(page.locator("h1").textContent()).isEqualTo("Delete this snapshot?");
    page.click("button.danger");
    page.waitForURL("**/snapshots");
    page.waitForLoadState();
    assertThat(page.locator(".snapshots tbody a[href^='/snapshots/']").allInnerTexts())
        .contains("one")
        .doesNotContain("two");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void twoSelectedSnapshotsAreCompared() {
    String one = upload(SampleFiles.FRAGMENTED, "?name=one&job=llama&rank=0");
    String two = upload(SampleFiles.HEALTHY, "?name=two&job=llama&rank=1");
    upload("out-of-memory-expandable", "?name=three");
    for (String list : new String[] {"/snapshots", "/snapshots?order=job"}) {
      go(list);
      Locator compare = page.locator("[data-selection] button:has-text('Compare')");
      assertThat(compare.isDisabled()).isTrue();
      page.check("input[aria-label='Select one']");
      assertThat(compare.isDisabled()).as("one").isTrue();
      page.check("[data-select-all]");
      assertThat(compare.isDisabled()).as("three").isTrue();
      page.uncheck("input[aria-label='Select three']");
      assertThat(compare.isEnabled()).isTrue();
      compare.click();
      page.waitForURL("**/compare?a=" + one + "&b=" + two);
      assertThat(page.locator("h1").textContent()).isEqualTo("Two snapshots compared");
    }
    page.click("text=Swap A and B");
    page.waitForURL("**/compare?a=" + two + "&b=" + one);
    page.locator(".compare-table summary").first().click();
    assertThat(page.locator(".compare-table .call-stack").first().isVisible()).isTrue();
    page.click("nav[aria-label='Rows'] >> text=whole stack");
    assertThat(page.url()).contains("by=stacks");
    page.fill("input[name=at]", "end");
    page.press("input[name=at]", "Enter");
    page.waitForURL("**at=end**");
    assertThat(page.url()).contains("by=stacks");
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      go("/compare?a=" + one + "&b=" + two);
      page.screenshot(
          new Page.ScreenshotOptions()
              .setPath(SCREENSHOTS.resolve("compare" + look.suffix()))
              .setFullPage(true));
      assertThat(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
          .isEqualTo(true);
    }
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void nameAndTagsAreEditedOnThePage() {
    String id = upload(SampleFiles.FRAGMENTED, "?name=one&job=llama&labels=a");
    go("/snapshots/" + id);
    page.click("text=Edit…");
    page.fill("input[name=name]", "renamed");
    page.fill("input[name=job]", "");
    page.fill("input[name=labels]", "a, b");
    page.click("text=Save");
    page.waitForURL("**/snapshots/" + id);
    assertThat(page.locator("h1").textContent()).isEqualTo("renamed");
    assertThat(tags(id).path("job").isNull()).isTrue();
    assertThat(tags(id).path("labels")).hasSize(2);
    assertThat(consoleErrors).isEmpty();
  }

  private static String upload(String sample, String query) {
    JsonNode stored = Json.of(server.post(SNAPSHOTS + query, SampleFiles.gzip(sample)));
    return stored.path("id").asString();
  }

  private static JsonNode tags(String id) {
    return Json.of(server.get(SNAPSHOTS + "/" + id)).path("tags");
  }

  private static FilePayload payload(String name, String sample) {
    return new FilePayload(name, "application/octet-stream", SampleFiles.gzip(sample));
  }
}
