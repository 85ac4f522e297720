package dev.vramscope.web;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The service and one of its pages in headless Chromium. Console errors are collected. */
abstract class InBrowser {
  static final Path PICTURES = Path.of("target", "screenshots");

  @SuppressWarnings("NullAway.Init")
  static LocalServer server;

  @SuppressWarnings("NullAway.Init")
  static Chromium chromium;

  @SuppressWarnings("NullAway.Init")
  BrowserContext context;

  @SuppressWarnings("NullAway.Init")
  Page page;

  final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(PICTURES);
    chromium = Chromium.start();
    server = LocalServer.start();
  }

  @AfterAll
  static void stop() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void open() {
    enter(1280, 900, ColorScheme.LIGHT);
  }

  @AfterEach
  void leave() {
    context.close();
  }

  /** Begins anew, in a window of this size. */
  void enter(int width, int height, ColorScheme scheme) {
    if (context != null) {
      context.close();
    }
    context = chromium.open(width, height, scheme);
    page = context.newPage();
    page.onConsoleMessage(this::listen);
    page.onPageError(complaints::add);
  }

  void listen(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      complaints.add(message.type() + ": " + message.text() + " at " + message.location());
    }
  }
}
