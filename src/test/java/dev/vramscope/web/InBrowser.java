package dev.vramscope.web;

import com.google.gson.JsonObject;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The service and one of its pages in headless Chromium. Console errors are collected. */
abstract class InBrowser {
  static final Path SCREENSHOTS = Path.of("target", "screenshots");

  /** How many times slower the scripts of pages run, to find what depends on their speed. */
  private static final int SLOWDOWN = Integer.getInteger("vramscope.browser-slowdown", 1);

  @SuppressWarnings("NullAway.Init")
  static LocalServer server;

  @SuppressWarnings("NullAway.Init")
  static Chromium chromium;

  @SuppressWarnings("NullAway.Init")
  BrowserContext context;

  @SuppressWarnings("NullAway.Init")
  Page page;

  final List<String> consoleErrors = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(SCREENSHOTS);
    chromium = Chromium.shared();
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void open() {
    openWindow(1280, 900, ColorScheme.LIGHT);
  }

  @AfterEach
  void closeWindow() {
    context.close();
  }

  /** Opens a new window of this size, without cookies. */
  void openWindow(int width, int height, ColorScheme scheme) {
    if (context != null) {
      context.close();
    }
    context = chromium.open(width, height, scheme);
    page = context.newPage();
    page.onConsoleMessage(this::collectErrors);
    page.onPageError(consoleErrors::add);
    if (SLOWDOWN > 1) {
      JsonObject rate = new JsonObject();
      rate.addProperty("rate", SLOWDOWN);
      context.newCDPSession(page).send("Emulation.setCPUThrottlingRate", rate);
    }
  }

  void collectErrors(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      consoleErrors.add(message.type() + ": " + message.text() + " at " + message.location());
    }
  }

  void go(String path) {
    page.navigate(server.at(path).toString());
  }

  /** Drops a file on the drop zone of the dashboard. */
  void drop(String name, byte[] content) {
    Object transfer =
        page.evaluateHandle(
            "([name, base64]) => {"
                + " const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));"
                + " const transfer = new DataTransfer();"
                + " transfer.items.add(new File([bytes], name));"
                + " return transfer; }",
            List.of(name, Base64.getEncoder().encodeToString(content)));
    page.dispatchEvent("[data-drop-zone]", "dragover", Map.of("dataTransfer", transfer));
    page.dispatchEvent("[data-drop-zone]", "drop", Map.of("dataTransfer", transfer));
  }
}
