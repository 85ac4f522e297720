package dev.vramscope.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** A headless Chromium; tests that need it are skipped if it is not installed. */
final class Chromium implements AutoCloseable {
  private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static Chromium start() {
    Assumptions.assumeTrue(Files.exists(EXECUTABLE), "skipped: no " + EXECUTABLE);
    Assumptions.assumeTrue(
        Chromium.class.getResource("/static/app/manifest.json") != null,
        "skipped: the frontend is not built");
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
    return new Chromium(playwright, browser);
  }

  /** Opens a window with its own cookies and storage. */
  BrowserContext open(int width, int height, ColorScheme scheme) {
    return browser.newContext(
        new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
