package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a user does while the browser or the server is slow is not lost, in Chromium. */
class SlowPageIT extends InBrowser {
  /** Longer than any delay after which a page acts by itself. */
  private static final int LONG_MILLIS = 500;

  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> shapes;

  @SuppressWarnings("NullAway.Init")
  private HeldResponses responses;

  @BeforeAll
  static void store() {
    shapes = SnapshotShapes.storeAll(server);
  }

  @Override
  void openWindow(int width, int height, ColorScheme scheme) {
    if (responses != null) {
      responses.close();
    }
    super.openWindow(width, height, scheme);
    responses = new HeldResponses(page);
  }

  @AfterEach
  void stopHolding() {
    responses.close();
  }

  private static String path(String page) {
    return "/snapshots/" + shapes.get(SampleFiles.FRAGMENTED) + page;
  }

  private void open(String page) {
    go(path(page));
    ready();
  }

  private void ready() {
    page.locator(".view[data-state=ready]").waitFor();
  }

  /** Waits until the view has moved and its URL, which says where to, stays as it is. */
  private String finalQuery() {
    page.waitForFunction(
        "rest => { if (window.seenQuery !== location.search) { window.seenQuery = location.search;"
            + " window.seenAt = performance.now(); }"
            + " return location.search !== '' && performance.now() - window.seenAt > rest; }",
        LONG_MILLIS);
    return URI.create(page.url()).getQuery();
  }

  private void waitForQuery(String words) {
    page.waitForFunction("words => location.search.includes(words)", words);
  }

  private void waitForNoQuery(String words) {
    page.waitForFunction("words => !location.search.includes(words)", words);
  }

  /** From now on, an animation frame comes only after the timers of the pages. */
  private void delayFrames() {
    page.addInitScript(
        "const frame = window.requestAnimationFrame.bind(window);"
            + "window.requestAnimationFrame = paint => setTimeout(() => frame(paint), "
            + LONG_MILLIS
            + "); window.cancelAnimationFrame = clearTimeout;");
  }

  /** Holds the rendered pages that a script requests. */
  private void holdFetchedPages() {
    responses.hold(
        request -> request.resourceType().equals("fetch") && !request.url().contains("/api/"));
  }

  private void holdApi(String part) {
    responses.hold(request -> request.url().contains("/api/") && request.url().contains(part));
  }

  private void holdScripts() {
    responses.hold(request -> request.resourceType().equals("script"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void backUndoesAJumpWhoseFirstFrameIsLate(String chart) {
    delayFrames();
    open(chart + "?from=1000&to=2000");
    for (String key : List.of("p", "f", "o")) {
      String before = page.url();
      page.keyboard().press(key);
      page.waitForFunction("before => location.href !== before", before);
      page.goBack();
      page.waitForFunction("before => location.href === before", before);
    }
    assertThat(consoleErrors).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void backUndoesADragThatBeginsSlowly(String chart) {
    open(chart + "?from=1000&to=2000");
    BoundingBox map = page.locator(".timeline-minimap").boundingBox();
    page.mouse().move(map.x + 0.6 * map.width, map.y + map.height / 2);
    page.mouse().down();
    page.waitForTimeout(LONG_MILLIS);
    page.mouse().move(map.x + 0.7 * map.width, map.y + map.height / 2);
    page.mouse().up();
    waitForNoQuery("from=1000&to=2000");
    page.goBack();
    waitForQuery("from=1000&to=2000");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void rangeThatIsTypedWhileTheTableLoadsStays() {
    open("/timeline?range=100-900");
    holdFetchedPages();
    page.locator("#range a[data-by=freed]").click();
    responses.await(1);
    Locator field = page.locator("#range-events");
    field.fill("9-3");
    responses.release();
    page.locator("#range a[data-by=freed][aria-current]").waitFor();
    assertThat(field.inputValue()).isEqualTo("9-3");
    assertThat(page.evaluate("() => document.activeElement.id")).isEqualTo("range-events");
    page.keyboard().press("Enter");
    page.locator(".notice:has-text('9-3 is not a range of events')").waitFor();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void tableThatCannotBeLoadedKeepsTheForm() {
    open("/timeline?range=100-900");
    holdFetchedPages();
    page.locator("#range a[data-by=freed]").click();
    responses.await(1);
    page.locator("#range-events").fill("5-6");
    responses.fail(0, 503);
    Locator again = page.locator("#range .problem button");
    again.waitFor();
    assertThat(page.locator("#range table").count()).isZero();
    assertThat(page.locator("#range-events").inputValue()).isEqualTo("5-6");
    again.click();
    responses.await(2);
    responses.answer(1);
    page.locator("#range a[data-by=freed][aria-current]").waitFor();
    assertThat(page.locator("#range .problem").count()).isZero();
    assertThat(page.locator("#range-events").inputValue()).isEqualTo("5-6");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline", "/segments"})
  void searchThatIsTypedBeforeTheDataArrivesStays(String view) {
    holdApi(view.equals("/segments") ? "/segments?" : "timeline?");
    go(path(view));
    Locator field = page.locator(".view-search input");
    field.fill("forward");
    responses.await(1);
    responses.release();
    ready();
    waitForQuery("text=forward");
    assertThat(field.inputValue()).isEqualTo("forward");
    assertThat(consoleErrors).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline", "/segments"})
  void keysAndButtonsThatArePressedBeforeTheDataArrivesAreNotLost(String view) {
    open(view);
    page.keyboard().press("w");
    page.locator(".view-bar button[aria-label^='Zoom in']").click();
    String query = finalQuery();
    holdApi(view.equals("/segments") ? "/segments?" : "timeline?");
    go(path(view));
    responses.await(1);
    page.keyboard().press("w");
    page.locator(".view-bar button[aria-label^='Zoom in']").click();
    responses.release();
    ready();
    assertThat(finalQuery()).isEqualTo(query);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void sitesAreListedWhenTheDataHasArrived() {
    holdApi("timeline?");
    go(path("/segment-timeline"));
    responses.await(1);
    page.keyboard().press("m");
    responses.release();
    page.waitForURL("**/timeline?**");
    waitForNoQuery("range=0-1&");
    assertThat(page.url()).contains("range=0-").endsWith("#range");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/timeline", "/segment-timeline"})
  void linkThatIsFollowedAtOnceLeadsToWhatIsShown(String chart) {
    open(chart);
    page.evaluate(
        "() => { const canvas = document.querySelector('.timeline-canvas');"
            + " const { left, width, top } = canvas.getBoundingClientRect();"
            + " canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, clientX: left + width"
            + " / 2, clientY: top + 50, cancelable: true }));"
            + " document.querySelector('[data-view-tabs] a[href*=\"/events\"]').click(); }");
    page.waitForURL("**/events?**");
    assertThat(page.url()).contains("from=", "to=");
  }

  @Test
  void filterThatIsTypedIsInTheUrlOfTheNextPage() {
    for (String view : List.of("/events", "/flame")) {
      open(view);
      page.evaluate(
          "() => { const field = document.querySelector('input[name=text]'); field.value ="
              + " 'forward'; field.dispatchEvent(new Event('input', { bubbles: true }));"
              + " document.querySelector('[data-view-tabs] a[href*=\"/segments\"]').click(); }");
      page.waitForURL("**/segments?**");
      assertThat(page.url()).as(view).contains("text=forward");
      page.goBack();
      waitForQuery("text=forward");
    }
  }

  @Test
  void everyStepThatIsAskedForIsMade() {
    List<Integer> allocations = new ArrayList<>();
    for (JsonNode row :
        Json.of(server.get("/api/v1" + path("/events?action=alloc&around=1001&limit=100")))
            .path("rows")) {
      allocations.add(row.path("event").asInt());
    }
    allocations.removeIf(event -> event <= 1000);
    open("/segments?event=1000&step=alloc");
    holdApi("action=alloc");
    page.keyboard().press(".");
    responses.await(1);
    page.keyboard().press(".");
    page.keyboard().press(".");
    responses.release();
    waitForQuery("event=" + allocations.get(2));
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void laterJumpInTheListIsNotOvertaken() {
    open("/events");
    String peak = page.locator("[data-event-list]").getAttribute("data-peak");
    holdApi("action=oom");
    page.keyboard().press("o");
    responses.await(1);
    page.keyboard().press("p");
    page.waitForResponse(response -> response.url().contains("action=oom"), responses::release);
    page.locator(".event-row[data-event='" + peak + "'][aria-selected=true]").waitFor();
    page.evaluate("() => new Promise(requestAnimationFrame)");
    assertThat(page.url()).contains("event=" + peak);
    page.goBack();
    page.locator(".event-row[data-action=oom][aria-selected=true]").waitFor();
  }

  @Test
  void listGoesToAnEventAlthoughRowsAreStillLoading() {
    holdApi("offset=");
    go(path("/events"));
    responses.await(1);
    page.keyboard().press("o");
    waitForQuery("event=");
    page.evaluate("() => new Promise(requestAnimationFrame)");
    responses.release();
    page.locator(".event-row[data-action=oom][aria-selected=true]").waitFor();
    assertThat(consoleErrors).isEmpty();
  }

  /** Does the same with the scripts of the page and before they are loaded. */
  private void assertSameWithoutScripts(String view, String changed, Consumer<Page> change) {
    openWindow(1280, 900, ColorScheme.LIGHT);
    open(view);
    change.accept(page);
    waitForQuery(changed);
    Set<String> inPlace = parameters();
    openWindow(1280, 900, ColorScheme.LIGHT);
    holdScripts();
    page.navigate(
        server.at(path(view)).toString(),
        new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
    change.accept(page);
    waitForQuery(changed);
    assertThat(parameters()).as(view).isEqualTo(inPlace);
  }

  private Set<String> parameters() {
    Set<String> parameters = new TreeSet<>();
    for (String parameter :
        page.url().replaceFirst("[^?]*\\?", "").replaceFirst("#.*", "").split("&")) {
      if (!parameter.endsWith("=") && !parameter.startsWith("device=")) {
        parameters.add(URLDecoder.decode(parameter, StandardCharsets.UTF_8));
      }
    }
    // A form has its defaults, too.
    parameters.removeAll(Set.of("at=peak", "frames=python", "inverted=false", "measure=live"));
    return parameters;
  }

  @Test
  void beforeTheScriptsAreLoadedFormsAndLinksDoTheSame() {
    String shown = "?from=480&to=520&event=500&sel=3&range=100-900&text=forward";
    assertSameWithoutScripts(
        "/timeline" + shown, "by=freed", page -> page.locator("#range a[data-by=freed]").click());
    assertSameWithoutScripts(
        "/timeline" + shown + "&by=growth",
        "range=300-400",
        page -> {
          page.locator("#range-events").fill("300-400");
          page.locator("#range-events").press("Enter");
        });
    assertSameWithoutScripts(
        "/events?from=480&to=520&sel=3&range=100-900", "text=forward", SlowPageIT::searchForward);
    assertSameWithoutScripts(
        "/flame?sel=3&range=100-900", "text=forward", SlowPageIT::searchForward);
  }

  private static void searchForward(Page page) {
    page.locator("input[name=text]").fill("forward");
    page.locator("input[name=text]").press("Enter");
  }

  @Test
  void refusedStepOfTheLabDoesNotBlockTheNextOnes() {
    go("/lab/strip");
    page.locator("[data-lab][data-state=ready][data-done='3']").waitFor();
    holdApi("/lab/run");
    page.locator(".lab-actions input").fill("1Xi");
    Locator allocate = page.locator(".lab-actions button[aria-label='Allocate this size']");
    allocate.click();
    responses.await(1);
    allocate.click();
    responses.release();
    page.locator("[data-lab][data-state=error]").waitFor();
    page.locator(".lab-actions button").first().click();
    page.locator("[data-lab][data-state=ready][data-done='4']").waitFor();
  }

  @Test
  void deviceThatIsSelectedBeforeTheScriptsAreLoadedIsOpened() {
    holdScripts();
    page.navigate(
        server.at("/snapshots/" + shapes.get("two-devices") + "/sites").toString(),
        new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
    page.locator("#device").selectOption("1");
    responses.release();
    page.waitForURL("**device=1**");
  }

  @Test
  void pageThatTheBrowserHasKeptShowsItsDeviceAndTheChosenTheme() {
    go("/snapshots/" + shapes.get("two-devices") + "/sites");
    page.evaluate(
        "() => { document.querySelector('#device').value = '1'; document.cookie = 'theme=dark';"
            + " window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }");
    assertThat(page.locator("#device").inputValue()).isEqualTo("0");
    assertThat(page.locator("html").getAttribute("data-theme")).isEqualTo("dark");
    page.evaluate(
        "() => { document.cookie = 'theme=; max-age=0'; window.dispatchEvent(new"
            + " PageTransitionEvent('pageshow', { persisted: true })); }");
    assertThat(page.locator("html").getAttribute("data-theme")).isNull();
  }

  @Test
  void copyButtonHasItsLabelAgainAfterTwoClicks() {
    page.clock().install();
    go(path("/summary"));
    Locator copy = page.locator("[data-copy-text], [data-copy]").first();
    String label = copy.innerText();
    copy.click();
    copy.click();
    page.waitForCondition(() -> !copy.innerText().equals(label));
    page.clock().fastForward(10_000);
    page.waitForCondition(() -> copy.innerText().equals(label));
  }
}
