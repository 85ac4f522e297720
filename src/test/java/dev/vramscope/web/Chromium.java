package dev.vramscope.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium, one for all tests of this process; those that need it are skipped if it is
 * not installed.
 */
final class Chromium {
  private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");

  /**
   * Longer than Playwright's 30 s: a machine with other work needs more for 80 kB of typed text.
   */
  private static final Duration SLOWEST = Duration.ofMinutes(2);

  private static @Nullable Chromium shared;

  private final Browser browser;

  private Chromium(Browser browser) {
    this.browser = browser;
  }

  /** Started by the first test that needs it; it ends with this process. */
  static Chromium shared() {
    Assumptions.assumeTrue(Files.exists(EXECUTABLE), "skipped: no " + EXECUTABLE);
    Assumptions.assumeTrue(
        Chromium.class.getResource("/static/app/manifest.json") != null,
        "skipped: the frontend is not built");
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static Chromium start() {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(EXECUTABLE)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Chromium(browser);
  }

  /** Opens a window with its own cookies and storage. */
  BrowserContext open(int width, int height, ColorScheme scheme) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme));
    context.setDefaultTimeout((double) SLOWEST.toMillis());
    return context;
  }
}
