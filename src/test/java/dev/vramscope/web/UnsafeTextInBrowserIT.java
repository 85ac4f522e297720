package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.LoadState;
import dev.vramscope.UnsafeText;
import dev.vramscope.web.snapshot.Tab;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts with control characters in what the scripts of pages show and draw. */
class UnsafeTextInBrowserIT extends InBrowser {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  /** Keeps what is drawn. */
  private static final String RECORD_DRAWN_TEXT =
      "window.drawn = []; const paint = CanvasRenderingContext2D.prototype.fillText;"
          + " CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {"
          + " window.drawn.push(text); return paint.call(this, text, ...rest); };";

  private static final String ALL_TEXT =
      "() => { const texts = [...window.drawn]; const nodes ="
          + " document.createTreeWalker(document.documentElement);"
          + " for (let node = nodes.currentNode; node; node = nodes.nextNode()) {"
          + " if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);"
          + " else for (const each of node.attributes ?? []) texts.push(each.value); }"
          + " return texts.join('\\n'); }";

  @Test
  void noPageShowsThem() {
    String first =
        Json.of(server.post(SNAPSHOTS, UnsafeText.snapshot().getBytes(StandardCharsets.UTF_8)))
            .path("id")
            .asString();
    byte[] pickle = UnsafeText.withHalves(server.get(SNAPSHOTS + "/" + first + "/export").body());
    String id = Json.of(server.post(SNAPSHOTS, pickle)).path("id").asString();
    page.addInitScript(RECORD_DRAWN_TEXT);
    List<String> paths = new ArrayList<>(List.of("/", "/compare?a=" + id + "&b=" + first));
    for (Tab tab : Tab.values()) {
      paths.add("/snapshots/" + id + tab.path());
    }
    for (String path : paths) {
      go(path);
      page.waitForLoadState(LoadState.NETWORKIDLE);
      openDetails();
      UnsafeText.assertVisible(path, (String) page.evaluate(ALL_TEXT));
      if (path.endsWith("/events") || path.endsWith("/flame")) {
        assertThat((String) page.evaluate(ALL_TEXT)).as(path).contains("forged", "\\u001b");
      }
    }
  }

  /** Chooses what lies in the middle of each picture, and the first row of a list. */
  private void openDetails() {
    for (String selector : List.of("main canvas", "[role=row][aria-rowindex], [role=option]")) {
      Locator first = page.locator(selector).first();
      if (first.isVisible()) {
        first.click(new Locator.ClickOptions().setForce(true));
      }
    }
    page.waitForLoadState(LoadState.NETWORKIDLE);
  }
}
