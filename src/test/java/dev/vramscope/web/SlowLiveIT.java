package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Parts of a page that are updated while the user is busy with them, and forms whose responses
 * overtake each other, in Chromium.
 */
class SlowLiveIT extends InBrowser {
  private static final String FRESH =
      "html => { const box = document.querySelector('[data-refresh]');"
          + " const fresh = new DOMParser().parseFromString(html, 'text/html').body;"
          + " const strip = root => root.querySelectorAll('details').forEach(each =>"
          + " each.removeAttribute('open')); const shown = box.cloneNode(true); strip(shown);"
          + " strip(fresh); return shown.childNodes.length === fresh.childNodes.length &&"
          + " [...shown.childNodes].every((node, i) => node.isEqualNode(fresh.childNodes[i])); }";

  @SuppressWarnings("NullAway.Init")
  private HeldResponses responses;

  private String status = "";

  @Override
  void openWindow(int width, int height, ColorScheme scheme) {
    super.openWindow(width, height, scheme);
    responses = new HeldResponses(page);
    page.route("**/status", this::answerStatus);
  }

  @BeforeEach
  void host() {
    go("/live");
    page.locator(".quiet button.primary").click();
    page.waitForURL("**/live/*");
    ready();
  }

  @AfterEach
  void closeAllocators() {
    responses.close();
    Json.of(server.get("/api/v1/allocators"))
        .forEach(hosted -> server.delete("/api/v1/allocators/" + hosted.get("id").longValue()));
  }

  private void ready() {
    page.locator("[data-live-allocator][data-state=ready]").waitFor();
  }

  private void run(String workload) {
    Locator form = page.locator("form.run-form");
    form.locator("[name=workload]").selectOption(workload);
    form.locator("[name=operationsPerSecond]").fill("200");
    form.locator("[name=scale]").fill("0.1");
    form.locator("button").click();
  }

  /** Waits until the part of the page is that of a response that was requested from now on. */
  private void refresh() {
    page.waitForResponse(
        "**/status",
        () ->
            page.evaluate(
                "() => document.querySelector('[data-refresh]').dispatchEvent(new"
                    + " Event('refresh'))"));
    page.evaluate("() => new Promise(requestAnimationFrame)");
  }

  /** Answers with what {@link #show} says, once that was called. */
  private void answerStatus(Route route) {
    if (status.isEmpty()) {
      route.fallback();
    } else {
      route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody(status));
    }
  }

  private void show(String html) {
    status = html;
    page.evaluate(
        "() => document.querySelector('[data-refresh]').dispatchEvent(new Event('refresh'))");
    page.waitForFunction(FRESH, html);
  }

  @Test
  void buttonThatIsPressedDuringARefreshIsClicked() {
    run("training-fixed");
    Locator stop = page.locator(".runs button");
    stop.waitFor();
    press(stop);
    String path = URI.create(page.url()).getPath() + "/status";
    // What would move the button.
    status = "<p>above</p>".repeat(30) + server.text(path);
    refresh();
    assertThat(page.locator("[data-refresh]").innerText()).doesNotContain("above");
    page.mouse().up();
    page.waitForFunction(
        "() => document.querySelector('[data-refresh]').innerText.includes('above')");
    status = "";
    page.locator(".run-state.stopped").waitFor();
    assertThat(page.evaluate("() => document.activeElement.hasAttribute('data-refresh')"))
        .as("the keyboard continues where the button was")
        .isEqualTo(true);
    assertThat(consoleErrors).isEmpty();
  }

  /**
   * Presses the mouse on an element; again, if it moved away between the pointing and the press.
   */
  private void press(Locator target) {
    page.waitForCondition(
        () -> {
          target.hover();
          page.mouse().down();
          boolean isPressed =
              Boolean.TRUE.equals(target.evaluate("element => element.matches(':active')"));
          if (!isPressed) {
            page.mouse().up();
          }
          return isPressed;
        });
  }

  @Test
  void ledgerRowThatWasShownStaysSoThatNothingBelowItMoves() {
    run("training-fixed");
    Locator row = page.locator("[data-live-ledger] [data-row=cached-releasable]");
    page.locator(".runs button").click();
    row.waitFor();
    page.locator("form[action$='/empty-cache'] button").click();
    row.locator("[data-bytes] data[value='0']").waitFor();
    assertThat(row.isVisible()).isTrue();
  }

  @Test
  void panelOfAPinnedBlockIsUsableWhileFramesArrive() {
    run("training-fixed");
    page.waitForFunction(
        "() => !document.querySelector('.view-legend:not(.live-curve-legend)').innerText"
            + ".includes('allocated 0 B')");
    page.locator(".live-map").click(new Locator.ClickOptions().setPosition(90, 56));
    press(page.locator(".view-side button"));
    page.waitForFunction(
        "version => +document.querySelector('[data-live-allocator]').dataset.version >= version",
        10 + Integer.parseInt(page.locator("[data-live-allocator]").getAttribute("data-version")));
    page.mouse().up();
    page.waitForCondition(() -> page.locator(".view-side button").count() == 0);
  }

  @Test
  void problemOfAFormStaysWhenAnotherOneSucceedsLater() {
    responses.hold(request -> request.method().equals("POST"));
    page.locator("form[action$='/empty-cache'] button").click();
    responses.await(1);
    run("training-fixed");
    responses.await(2);
    responses.fail(1, 503);
    Locator problem = page.locator("[data-form-problem]");
    problem.waitFor();
    page.waitForResponse("**/empty-cache", () -> responses.answer(0));
    page.locator("form[action$='/empty-cache'] button:not([aria-disabled])").waitFor();
    assertThat(problem.innerText()).contains("503");
  }

  @Test
  void refreshThatIsAskedForDuringAnotherOneFollowsIt() {
    responses.hold(request -> request.url().endsWith("/status"));
    responses.await(1);
    page.evaluate(
        "() => document.querySelector('[data-refresh]').dispatchEvent(new Event('refresh'))");
    responses.answer(0);
    responses.await(2);
    responses.release();
  }

  @Test
  void updatedPartIsEqualToTheResponse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      StringBuilder html = new StringBuilder();
      append(html, random, 3);
      try {
        show(html.toString());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round + ": " + html, e);
      }
    }
    assertThat(consoleErrors).isEmpty();
  }

  private static void append(StringBuilder html, Random random, int depth) {
    int first = random.nextInt(5);
    for (int i = random.nextInt(4); i >= 0; i--) {
      String text = "text" + random.nextInt(3);
      String id = random.nextBoolean() ? " id=\"i" + (first + i) + "-" + depth + "\"" : "";
      String title = random.nextBoolean() ? " title=\"" + text + "\"" : "";
      switch (depth == 0 ? 0 : random.nextInt(6)) {
        case 0 -> html.append(text);
        case 1 -> html.append("<input name=\"").append(text).append("\" value=\"a\">");
        case 2 -> html.append("<a href=\"#").append(text).append("\">link</a>");
        case 3 -> html.append("<!--").append(text).append("-->");
        default -> {
          String name = List.of("div", "section", "details").get(random.nextInt(3));
          html.append('<').append(name).append(id).append(title).append('>');
          append(html, random, depth - 1);
          html.append("</").append(name).append('>');
        }
      }
    }
  }

  @Test
  void updatedPartKeepsWhatTheUserDoes() {
    show(
        "<p>1</p><details id='d'><summary>more</summary>1</details><form action='/a'><input"
            + " name='n' value='1'><button>Go</button></form>");
    page.locator("#d summary").click();
    Locator field = page.locator("[data-refresh] input");
    field.fill("typed");
    page.keyboard().press("ArrowLeft");
    show(
        "<div>new</div><details id='d'><summary>more</summary>2</details><form action='/a'><input"
            + " name='n' value='2'><button>Go</button></form>");
    assertThat(page.locator("#d").getAttribute("open")).isNotNull();
    assertThat(field.inputValue()).isEqualTo("typed");
    page.keyboard().type("!");
    assertThat(field.inputValue()).as("the cursor is where it was").isEqualTo("type!d");

    page.locator("[data-refresh] button").focus();
    show(
        "<form action='/b'><button>Go</button></form><form action='/a'><button>Go</button></form>");
    assertThat(page.evaluate("() => document.activeElement.closest('form').getAttribute('action')"))
        .as("a button of another form is another button")
        .isEqualTo("/a");
    show("<p>none</p>");
    assertThat(page.evaluate("() => document.activeElement.hasAttribute('data-refresh')"))
        .isEqualTo(true);
  }
}
